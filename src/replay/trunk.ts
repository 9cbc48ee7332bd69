import type { Branch, Stretch } from './branch';
import type { SideBranch } from './packing';
import { subtreeTokens, type PlanNode } from './plan';

/** A node of the plan, as its tokens see it. */
export interface Place extends Branch {
  readonly parent?: Place;
  readonly node: PlanNode;
}

export interface PlacedStretch extends Stretch {
  readonly branch: Place;
}

interface PlacedBranch extends SideBranch {
  readonly place: Place;
}

/** Depth after the place's last token. */
export const endOf = ({ node }: Place): number => node.start + node.tokens.length;

const childOf = (parent: Place, node: PlanNode): Place => ({ parent, node, start: node.start });

/** From `root` to a leaf, always into the branch with the most tokens: that part is run in full runs, whatever branches off on the way. */
export function trunkOf(root: Place): Place[] {
  const trunk: Place[] = [];
  for (let place: Place | undefined = root; place; ) {
    trunk.push(place);
    const next = heaviest(place.node.children);
    place = next && childOf(place, next);
  }
  return trunk;
}

/** The first of those with the most tokens in and below them. */
function heaviest(nodes: readonly PlanNode[]): PlanNode | undefined {
  let found: PlanNode | undefined;
  let most = 0;
  for (const node of nodes) {
    const tokens = subtreeTokens(node);
    if (tokens > most) [found, most] = [node, tokens];
  }
  return found;
}

/** A trunk with everything that stands before it, from the root. */
export function ancestryOf(trunk: readonly Place[]): Place[] {
  const above: Place[] = [];
  for (let place = trunk[0]?.parent; place; place = place.parent) above.unshift(place);
  return [...above, ...trunk];
}

/** The tokens from the root to a trunk's tip. */
export const pathOf = (trunk: readonly Place[]): number[] => ancestryOf(trunk).flatMap(({ node }) => [...node.tokens]);

/** What leaves a trunk. */
export function sideBranches(trunk: readonly Place[]): PlacedBranch[] {
  return trunk.flatMap((parent, i) =>
    parent.node.children.filter((node) => node !== trunk[i + 1]?.node).map((node) => ({ start: node.start, tokens: subtreeTokens(node), place: childOf(parent, node) })),
  );
}

/** A branch and everything below it, parents first. */
export function subtreeOf(root: Place): Place[] {
  const places = [root];
  for (let i = 0; i < places.length; i++) {
    const place = places[i];
    if (place) for (const node of place.node.children) places.push(childOf(place, node));
  }
  return places;
}

/** All of a place's tokens. */
export const stretchOf = (place: Place): PlacedStretch => ({ branch: place, from: place.start, length: place.node.tokens.length });

/** The part of a stretch that stands at depths [from, to): none or one. */
export function within(stretch: PlacedStretch, from: number, to: number): PlacedStretch[] {
  const start = Math.max(from, stretch.from);
  const length = Math.min(to, stretch.from + stretch.length) - start;
  return length > 0 ? [{ ...stretch, from: start, length }] : [];
}
