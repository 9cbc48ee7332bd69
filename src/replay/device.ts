/** Where a policy can run, by ONNX Runtime's names. */
export const devices = ['cpu', 'cuda', 'webgpu', 'dml', 'coreml'] as const;
export type Device = (typeof devices)[number];
/** `auto`: the first of the machine's devices that is there, agrees with the CPU and is no slower. */
export type DeviceChoice = 'auto' | Device;

/** How a policy came to run where it runs. */
export interface DeviceReport {
  readonly asked: DeviceChoice;
  /** Better devices that are not used, the best first, each with a part of a sentence. */
  readonly tried: readonly DeviceRefusal[];
  /** Of the device in use against the CPU; absent: it is the CPU. */
  readonly parity?: Parity;
}

export interface DeviceRefusal {
  readonly device: Device;
  readonly reason: string;
}

/** What a short text's log-probabilities differ by between a device and the CPU. */
export interface Parity {
  /** Largest difference, nats. */
  readonly difference: number;
  /** What it may be for weights and activations of this kind, nats. */
  readonly tolerance: number;
  /** A run of some fifty tokens, warmed up: milliseconds. */
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
  /** Longer runs than this, in tokens, do not agree; absent: those that were tried do. */
  readonly longestRun?: number;
}

type Platform = 'linux' | 'win32' | 'darwin';
const preferred: Readonly<Record<Platform, readonly Device[]>> = {
  linux: ['cuda', 'webgpu', 'cpu'],
  win32: ['webgpu', 'dml', 'cpu'],
  darwin: ['webgpu', 'coreml', 'cpu'],
};

/** The devices that are tried one by one, the best first: one that was asked for stands alone. `platform`: as Node names it. */
export function devicesFor(choice: DeviceChoice, platform: string): readonly Device[] {
  if (choice !== 'auto') return [choice];
  return Object.hasOwn(preferred, platform) ? preferred[platform as Platform] : ['cpu'];
}

const drivers: Readonly<Record<Platform, string>> = {
  linux: "install the Vulkan loader (libvulkan1 on Debian and Ubuntu) and the GPU's Vulkan driver",
  win32: "install the GPU vendor's current driver, which brings Direct3D 12",
  darwin: 'update macOS: the Metal driver comes with it',
};

/** What to install where a device is not there: a sentence without its full stop. */
export function deviceRemedy(device: Device, platform: string): string {
  const at = Object.hasOwn(drivers, platform) ? (platform as Platform) : undefined;
  switch (device) {
    case 'cpu':
      return 'the CPU needs nothing';
    case 'cuda':
      if (at !== 'linux') return 'CUDA is there on Linux alone; use webgpu';
      return 'install an NVIDIA driver, CUDA 12 and cuDNN 9, then fetch the CUDA libraries of ONNX Runtime into its package: node script/install --onnxruntime-node-install=cuda12';
    case 'webgpu':
      return at ? drivers[at] : 'WebGPU is there on Linux, Windows and macOS alone';
    case 'dml':
      return at === 'win32' ? drivers.win32 : 'DirectML is there on Windows alone';
    case 'coreml':
      return at === 'darwin' ? drivers.darwin : 'Core ML is there on macOS alone';
  }
}
