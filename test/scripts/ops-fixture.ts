import { expect } from 'chai';
import { ops as program } from '../../scripts/ops/program.ts';
import { writingNothing } from '../support/row-counts.ts';
import type { Run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';
import { settingsFor } from '../support/settings.ts';
import type { Stack } from '../support/stack.ts';

export interface Ops {
  (...args: string[]): Promise<Run>;
  object(...args: string[]): Promise<Record<string, any>>;
  /** What a command that is refused, and writes nothing, says in its one line. */
  refusal(...args: string[]): Promise<string>;
  refusals(refused: [command: string, says: string][]): Promise<void>;
}

export const settingsOf = ({ context }: Stack) => ({
  ...settingsFor(context.env.databaseUrl),
  ...{ LOG_LEVEL: 'warn', OPERATOR_PASSWORD: 'operator-password' },
  PORT: '65535', // nobody listens there
});

export function opsOf(stack: Stack, ...command: string[]): Ops {
  const run = (...args: string[]) => runHere(program, [...command, ...args], settingsOf(stack));
  const ops: Ops = Object.assign(run, {
    async object(...args: string[]) {
      const { code, stdout, stderr } = await run(...args);
      expect(code, stderr).to.equal(0);
      expect(stdout.split('\n')).to.have.length(2);
      return JSON.parse(stdout);
    },
    async refusal(...args: string[]) {
      const { code, stdout, stderr } = await writingNothing(stack, () => run(...args));
      expect([code, stdout], stderr).to.deep.equal([1, '']);
      expect(stderr.trim().split('\n')).to.have.length(1);
      return stderr.trim();
    },
    async refusals(refused: [command: string, says: string][]) {
      for (const [words, says] of refused)
        expect(await ops.refusal(...words.split(' '))).to.include(says);
    },
  });
  return ops;
}
