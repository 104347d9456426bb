import type {
  Channel,
  ListedPayment,
  PaymentOrder,
  ProviderCapture,
  Verification,
} from '../port/payment.ts';
import { clearOr, plainText, type Row, stateIn, UnclearError } from './read.ts';

export interface PaymentForm {
  id(payment: Row): string | null;
  reference: string;
  status: string;
  channel: string;
  wordOf(value: unknown): string;
  /** What went back was paid first. */
  states: Record<string, Verification['state']>;
  /** True: all of it has gone. */
  goesBack: Record<string, boolean>;
  /** Any other is `other`, and a person sees it. */
  channels: Record<string, Channel>;
  channelFamilies?: [beginning: string, channel: Channel][];
  amountsOf(
    payment: Row,
  ): Pick<ProviderCapture, 'amountKobo' | 'payerFeeKobo' | 'payableKobo' | 'feeKobo'>;
  timesOf(payment: Row): Pick<ProviderCapture, 'createdAt' | 'capturedAt'>;
  modeOf?(payment: Row): string | null;
  failureOf?(payment: Row): string;
}

export function statusOf({ wordOf, status }: PaymentForm, payment: Row): string {
  return wordOf(payment[status]);
}

export function stateOf(form: PaymentForm, payment: Row): Verification['state'] {
  return stateIn(form.states, statusOf(form, payment));
}

export function captureOf(form: PaymentForm, payment: Row): ProviderCapture {
  return {
    providerPaymentId: paymentIdOf(form, payment),
    reference: plainText(payment[form.reference]),
    ...form.amountsOf(payment),
    ...(isReversed(form, payment) && { isReversed: true }),
    currency: plainText(payment.currency, 10).toUpperCase(),
    channel: channelOf(form, form.wordOf(payment[form.channel])) ?? 'other',
    mode: form.modeOf?.(payment) ?? null,
    ...form.timesOf(payment),
  };
}

/** Without an id a payment could not be told from others, or refunded. */
export function paymentIdOf(form: PaymentForm, payment: Row): string {
  const id = form.id(payment);
  if (id === null) throw new UnclearError('a payment carries no id');
  return id;
}

function isReversed(form: PaymentForm, payment: Row): boolean {
  const status = statusOf(form, payment);
  return Object.hasOwn(form.goesBack, status) && form.goesBack[status]!;
}

function channelOf({ channels, channelFamilies = [] }: PaymentForm, word: string) {
  if (Object.hasOwn(channels, word)) return channels[word];
  return channelFamilies.find(([beginning]) => word.startsWith(beginning))?.[1];
}

/** What cannot be read is left out. */
export function listedPayments(form: PaymentForm, rows: readonly Row[]): ListedPayment[] {
  return rows.flatMap((row) => {
    const [state, providerPaymentId] = [stateOf(form, row), form.id(row)];
    const reference = plainText(row[form.reference]);
    const mayBePaid = state === 'paid' || (state === 'unknown' && statusOf(form, row) !== '');
    if (!mayBePaid || (providerPaymentId === null && reference === '')) return [];
    const capture = clearOr(
      () => captureOf(form, row),
      () => undefined,
    );
    const listed: ListedPayment = {
      providerPaymentId,
      reference,
      isPaid: state === 'paid',
      ...(isReversed(form, row) && { isReversed: true }),
      amountKobo: capture?.amountKobo ?? null,
      at: capture?.capturedAt ?? capture?.createdAt ?? null,
    };
    return [listed];
  });
}

export function scenarioOf({ testScenario }: PaymentOrder): { test_scenario?: string } {
  return testScenario === null ? {} : { test_scenario: testScenario };
}

export function absentPayment(raw: string): Verification {
  return {
    ...{ state: 'absent', status: 'not found', captures: [], hasRefunds: false },
    ...{ unknownWords: [], failureMessage: null, raw },
  };
}

const byPriority: Verification['state'][] = ['paid', 'unknown', 'unpaid'];

export function verificationOf(form: PaymentForm, tries: Row[], raw: string): Verification {
  const inState = (state: Verification['state']) =>
    tries.filter((each) => stateOf(form, each) === state);
  const decisive = byPriority.map((state) => inState(state)[0]).find(Boolean) ?? tries[0]!;
  const [state, paid] = [stateOf(form, decisive), inState('paid')];
  const unknown = paid.length === 0 ? [] : inState('unknown');
  const words = [
    ...paid.flatMap((each) => unknownChannel(form, each)),
    ...unknown.map((each) => `status "${statusOf(form, each)}"`),
  ];
  const hasFailed = state === 'declined' || state === 'retrying';
  return {
    state,
    status: statusOf(form, decisive),
    captures: paid.map((each) => captureOf(form, each)).sort(byTime),
    hasRefunds: paid.some((each) => Object.hasOwn(form.goesBack, statusOf(form, each))),
    unknownWords: [...new Set(words)],
    failureMessage: hasFailed ? form.failureOf?.(decisive) || 'The payment was declined.' : null,
    raw,
  };
}

function unknownChannel(form: PaymentForm, payment: Row): string[] {
  const word = form.wordOf(payment[form.channel]);
  return word === '' || channelOf(form, word) ? [] : [`channel "${word}"`];
}

/** A payment without a time comes last. */
function byTime(a: ProviderCapture, b: ProviderCapture): number {
  const timeOf = ({ createdAt }: ProviderCapture) =>
    createdAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return timeOf(a) - timeOf(b) || Number(a.providerPaymentId) - Number(b.providerPaymentId);
}
