/** Every name that package.json and the code must agree on; a test compares them. */

export const commands = {
  rescoreTrajectory: 'turnlens.rescoreTrajectory',
  rescoreQuestion: 'turnlens.rescoreQuestion',
  rescoreFile: 'turnlens.rescoreFile',
  rescoreIgnoringCache: 'turnlens.rescoreIgnoringCache',
  clearScores: 'turnlens.clearScores',
  nextSpike: 'turnlens.nextSpike',
  previousSpike: 'turnlens.previousSpike',
  explain: 'turnlens.explain',
  openTranscript: 'turnlens.openTranscript',
  revealInSource: 'turnlens.revealInSource',
  saveAsTraj: 'turnlens.saveAsTraj',
  saveAsAtif: 'turnlens.saveAsAtif',
  selectPolicy: 'turnlens.selectPolicy',
  showPolicy: 'turnlens.showPolicy',
  openSample: 'turnlens.openSample',
  showLog: 'turnlens.showLog',
  showInRollouts: 'turnlens.showInRollouts',
  findRollouts: 'turnlens.findRollouts',
  removeFromRollouts: 'turnlens.removeFromRollouts',
  sortRollouts: 'turnlens.sortRollouts',
  filterRollouts: 'turnlens.filterRollouts',
  filterRolloutsByText: 'turnlens.filterRolloutsByText',
  showAllRollouts: 'turnlens.showAllRollouts',
  groupRollouts: 'turnlens.groupRollouts',
  stopReadingRollouts: 'turnlens.stopReadingRollouts',
  readMoreRollouts: 'turnlens.readMoreRollouts',
  rescoreListed: 'turnlens.rescoreListed',
  openPanel: 'turnlens.openPanel',
} as const;

/** Names of files that may hold trajectories; the menus go by the same. */
export const trajectoryNames = /\.(traj|jsonl|json|ndjson|eval|zip)(\.gz)?$/i;

/** Of our own format. */
export const nativeName = /\.traj$/i;

export const configSection = 'turnlens';

/** Of a transcript's language and of the file system that serves it. */
export const transcriptLanguage = 'turnlens-transcript';
export const transcriptScheme = 'turnlens-transcript';

/** Of records as they stand in files that no editor holds. */
export const rawScheme = 'turnlens-raw';

/** Of long parts of a trajectory, whole. */
export const partScheme = 'turnlens-part';

/** Of what is told of the policy and its device. */
export const policyScheme = 'turnlens-policy';

export const contextKeys = {
  /** The active editor shows a trajectory, or a file that holds some. */
  trajectory: 'turnlens.trajectory',
  /** The file that the active editor shows, or shows a rollout of, has scores. */
  scored: 'turnlens.scored',
  /** The active editor shows a trajectory turn by turn, with its scores. */
  figures: 'turnlens.figures',
  /** Turns among these that stand out. */
  spikes: 'turnlens.spikes',
  /** The Rollouts view is reading a file. */
  reading: 'turnlens.readingRollouts',
  /** The Rollouts view shows not all. */
  filtered: 'turnlens.filteredRollouts',
} as const;

export const rolloutsView = 'turnlens.rollouts';

export const colors = {
  up: 'turnlens.up',
  down: 'turnlens.down',
  mixed: 'turnlens.mixed',
  quiet: 'turnlens.quiet',
  stale: 'turnlens.stale',
} as const;
