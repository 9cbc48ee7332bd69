import { env } from 'onnxruntime-node';

/** What runs policies, as provenance names it. */
export const runtime = `onnxruntime ${env.versions.node ?? env.versions.common}`;
