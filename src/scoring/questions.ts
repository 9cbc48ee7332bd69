import type { Trajectory } from '../trajectory/model';

interface Question {
  /** Of its rollouts among all trajectories of a call. */
  readonly indices: readonly number[];
  left: number;
}

/** Which rollouts answer the same question, and which questions are complete. */
export class Questions {
  readonly #of: readonly Question[];

  constructor(trajectories: readonly Pick<Trajectory, 'group'>[]) {
    const named = new Map<string, { indices: number[]; left: number }>();
    this.#of = trajectories.map(({ group }, index) => {
      const question = (group === undefined ? undefined : named.get(group)) ?? { indices: [], left: 0 };
      if (group !== undefined) named.set(group, question);
      question.indices.push(index);
      question.left++;
      return question;
    });
  }

  /** One more rollout is scored, each once. @returns all of its question where it was the last of them */
  scored(index: number): readonly number[] | undefined {
    const question = this.#of[index];
    if (!question) return undefined;
    question.left--;
    return question.left === 0 ? question.indices : undefined;
  }
}
