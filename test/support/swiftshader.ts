import { existsSync } from 'node:fs';
import path from 'node:path';

/** WebGPU without a GPU: Chromium's software Vulkan, as Debian's chromium-common installs it. */
const driver = '/usr/lib/chromium/vk_swiftshader_icd.json';

/** Why the tests of WebGPU do not run here; `undefined`: they do. */
export const whyNoWebgpu = process.platform === 'linux' && process.arch === 'x64' && existsSync(driver) ? undefined : `there is no software Vulkan here (${driver}, of Debian's chromium-common)`;

/** The environment of a process in which WebGPU runs on the CPU. The Vulkan loader is Chromium's own where libvulkan1 is not installed. */
export const webgpuEnvironment: NodeJS.ProcessEnv = { VK_ICD_FILENAMES: driver, LD_LIBRARY_PATH: [process.env['LD_LIBRARY_PATH'], path.dirname(driver)].filter(Boolean).join(':') };
