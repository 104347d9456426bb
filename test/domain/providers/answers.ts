import { expect } from 'chai';
import { type AnswerForm, errorOf, resultOf } from '../../../domain/providers/adapter/answers.ts';
import type { ProviderAnswer } from '../../../domain/providers/adapter/http.ts';
import { answerOf, type Reply } from './calls.ts';

export async function expectOfEach(
  replies: readonly Reply[],
  read: (answer: ProviderAnswer) => unknown,
  expected: unknown,
  stage?: string,
): Promise<void> {
  for (const reply of replies)
    expect(read(await answerOf(reply, stage)), JSON.stringify(reply)).to.equal(expected);
}

export type ErrorRow = [reply: Reply, kind: string, message: string];

export interface AnswerTables {
  form: AnswerForm;
  good: Reply[];
  others: Reply[];
  errors: ErrorRow[];
  /** The kind of an error in the words of a duplicate that answers another call than a create. */
  duplicateElsewhere: 'duplicate' | 'refused';
}

export function describeAnswers(tables: AnswerTables): void {
  const { form, good, others, errors, duplicateElsewhere } = tables;
  describe(`An answer of ${form.provider}`, () => {
    const hasResult = (answer: ProviderAnswer) => resultOf(form, answer) !== undefined;

    it('holds a result only where all of it says so', async () => {
      await expectOfEach(good, hasResult, true);
      await expectOfEach(others, hasResult, false);
    });

    it('is a duplicate of a create, and elsewhere what the provider means', async () => {
      const kindOf = (answer: ProviderAnswer) => errorOf(form, answer).kind;
      const [duplicate] = errors.find(([, kind]) => kind === 'duplicate')!;
      await expectOfEach([duplicate], kindOf, duplicateElsewhere, 'refund');
    });

    it('becomes an error whose kind says whether the call may have taken effect', async () => {
      const foreign = `the answer is not one of ${form.provider}'s`;
      const rows: ErrorRow[] = [
        ...errors,
        [good[0]!, 'unknown', 'the answer does not hold what was asked for'],
        [[404, { error: 'x' }], 'unknown', `${foreign} (HTTP 404)`],
        [[200, 'x'], 'unknown', `${foreign} (HTTP 200)`],
      ];
      for (const [reply, kind, message] of rows) {
        const error = errorOf(form, await answerOf(reply));
        expect(error, JSON.stringify(reply)).to.include({ kind, stage: 'create', message });
        const isKey = kind === 'refused' && reply[0] === 401 && form.unauthorized.includes('key');
        expect(error.refusesCredentials, message).to.equal(isKey);
      }
    });
  });
}
