/**
 * What a user may choose for graphs that round their activations to integers: `fp32` keeps them as they are, so that figures are the same
 * however tokens are cut into runs; `exported` runs the graph as it was exported, quicker in decoding and uneven.
 */
export const activationChoices = ['fp32', 'exported'] as const;
export type ActivationChoice = (typeof activationChoices)[number];
