import * as path from 'node:path';

/** What lies beside the bundle, dist/extension.js. */
export const policyProcess = path.join(__dirname, 'policyProcess.js');
export const demoPolicy = path.join(__dirname, '..', 'media', 'policy');
export const samples = path.join(__dirname, '..', 'media', 'samples');

/** A policy's folder, for people. */
export const policyLabel = (folder: string): string => (folder === demoPolicy ? 'demo policy' : path.basename(folder));
