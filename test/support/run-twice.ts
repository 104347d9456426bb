import { expect } from 'chai';
import type { Answer } from './api.ts';
import { writingNothing } from './row-counts.ts';
import type { Stack } from './stack.ts';

/**
 * Does the same thing twice and expects that the second time changes nothing: the same answer, and in
 * every table as many rows as after the first. Returns both answers.
 */
export async function runTwice(
  stack: Pick<Stack, 'context'>,
  action: () => Promise<Answer>,
): Promise<[first: Answer, second: Answer]> {
  const first = await action();
  const second = await writingNothing(stack, action);
  expect({ status: second.status, text: second.text }, 'the second answer').to.deep.equal({
    status: first.status,
    text: first.text,
  });
  return [first, second];
}
