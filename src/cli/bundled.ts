import path from 'node:path';

/** What lies beside the bundle, dist/turnlens.js. */
export const policyProcess = path.join(__dirname, 'policyProcess.js');
export const demoPolicy = path.join(__dirname, '..', 'media', 'policy');
