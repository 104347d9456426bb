import { acceptCode } from '../../domain/accounts/second-factor/second-factor.ts';
import { recordCode, type Session } from '../../domain/accounts/session/session.ts';
import type { Fields } from '../../domain/shared/problems.ts';
import { isWrongCode, throttleCode } from '../auth/throttle.ts';
import type {
  DashboardRequest,
  Form,
  FormValues,
  Question,
  QuestionField,
  Refused,
} from './request.ts';

const FRESH_MS = 15 * 60_000;

const codeField: QuestionField = {
  name: 'code',
  label: 'Authentication code',
  autocomplete: 'one-time-code',
  required: true,
};

const isItYou: Question = {
  title: 'Is it you?',
  consequence: 'This changes who may send money, or where it goes.',
};

/** What a form asks in all, a code where one is due; undefined: nothing. */
export function withCode(
  { asksForCode }: Form,
  asked: Question | undefined,
  { session, now }: DashboardRequest,
): Question | undefined {
  if (!asksForCode || !needsCode(session, now)) return asked;
  const { fields = [], ...question } = asked ?? isItYou;
  return { ...question, fields: [...fields, codeField] };
}

export function needsCode({ hasTotp, codeGivenAt }: Session, now: Date): boolean {
  return hasTotp && (codeGivenAt === null || now.getTime() - codeGivenAt.getTime() > FRESH_MS);
}

/** With what was given, and what is wrong with it. */
export function shownFields(
  { fields = [] }: Question,
  { values, fields: problems }: Pick<Refused, 'values' | 'fields'> = { values: {}, fields: {} },
) {
  return fields.map((field) => ({
    ...field,
    id: `confirm-${field.name}`,
    value: field === codeField ? '' : (values[field.name] ?? field.value),
    problem: field.name in values ? problems[field.field ?? field.name] : undefined,
  }));
}

type Answered = DashboardRequest & { values: FormValues };

/**
 * What is wrong with the answers, by field; empty: they are accepted. A code, which is good once,
 * is used where the others are right. Throws 429 after too many wrong ones.
 */
export async function problemsOf({ fields = [] }: Question, answered: Answered): Promise<Fields> {
  const problems = fields.flatMap((field) => {
    const problem = problemOf(field, answered.values[field.name]);
    return problem === undefined ? [] : [[field.name, problem] as const];
  });
  if (problems.length > 0 || !fields.includes(codeField)) return Object.fromEntries(problems);
  return (await isRightCode(answered)) ? {} : { code: 'is wrong, or was used before' };
}

function problemOf({ required, mustBe }: QuestionField, value: unknown): string | undefined {
  const given = String(value ?? '').trim();
  if (mustBe !== undefined && given !== mustBe.trim()) return `must be “${mustBe}”`;
  return required && given === '' ? 'is needed' : undefined;
}

async function isRightCode({ context, session, values, address }: Answered): Promise<boolean> {
  const code = String(values.code);
  const { memberId, familyId: known } = session;
  try {
    await throttleCode(context, { memberId, code, address, known }, () =>
      context.inTx(async (tx) => {
        await acceptCode(tx, session, code);
        await recordCode(tx, session);
      }),
    );
    return true;
  } catch (error) {
    if (!isWrongCode(error)) throw error;
    return false;
  }
}
