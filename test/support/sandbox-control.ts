export interface ProviderStats {
  creates: number;
  distinct_references: number;
  resent_after_accept: number;
  verifies: number;
  captures: number;
  refunds: number;
  notifications: number;
}

export interface Off {
  reference: string;
  /** Signed: more than zero, and the line states more, or a higher fee. */
  kobo: number;
}

export interface Oddities {
  short_by_kobo?: number;
  deduct_kobo?: number;
  leave_out?: string[];
  amount_off_kobo?: Off[];
  fee_off_kobo?: Off[];
  foreign?: { reference?: string; amount_kobo: number }[];
  status?: 'landed' | 'pending' | 'failed';
  notify?: boolean;
}

export interface PaidOut {
  id: number;
  provider_settlement_id: string;
  status: string;
  gross_kobo: number;
  fee_kobo: number;
  deductions_kobo: number;
  landed_kobo: number;
}

export interface SandboxControl {
  pay(
    reference: string,
    options?: {
      outcome?: 'success' | 'failed';
      channel?: string;
      amount_kobo?: number;
      payer_fee_kobo?: number;
      notify?: boolean;
      again?: boolean;
    },
  ): Promise<void>;
  planRefund(reference: string, outcome: 'completed' | 'failed' | 'needs-attention'): Promise<void>;
  failCompletedRefund(reference: string): Promise<void>;
  refundNow(reference: string, amountKobo?: number): Promise<void>;
  dispute(reference: string, outcome?: 'won' | 'lost', amountKobo?: number): Promise<void>;
  reverse(reference: string, options?: { notify?: boolean }): Promise<void>;
  settle(accountId: number, oddities?: Oddities): Promise<PaidOut>;
  changeSettlement(
    id: number,
    change: { status?: Oddities['status']; landed_kobo?: number; notify?: boolean },
  ): Promise<PaidOut>;
  /** A paid payment that the service did not create and of which no notification is sent. */
  stranger(
    accountId: number,
    payment: { provider: string; reference: string; amount_kobo: number },
  ): Promise<void>;
  forget(reference: string): Promise<void>;
  faults(faults?: Record<string, unknown>): Promise<void>;
  expireTokens(): Promise<void>;
  stats(): Promise<Record<string, ProviderStats>>;
  payments(
    reference: string,
  ): Promise<{ reference: string; status: string; checkout_url: string }[]>;
}

export function sandboxControl(url: string): SandboxControl {
  const send = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(`${url}/_control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok)
      throw new Error(`sandbox ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const post = async (path: string, body: object) => void (await send(path, body));
  const get = async <T>(path: string) =>
    (await (await fetch(`${url}/_control/${path}`)).json()) as T;
  return {
    pay: (reference, options = {}) => post('pay', { reference, outcome: 'success', ...options }),
    planRefund: (reference, outcome) => post('refund', { reference, outcome }),
    failCompletedRefund: (reference) => post('refund', { reference, fail_completed: true }),
    refundNow: (reference, amountKobo) =>
      post('refund', { reference, now: true, amount_kobo: amountKobo }),
    dispute: (reference, outcome, amountKobo) =>
      post('dispute', { reference, outcome, amount_kobo: amountKobo }),
    reverse: (reference, options = {}) => post('reverse', { reference, ...options }),
    settle: async (accountId, oddities = {}) => {
      const { data } = await send<{ data: PaidOut[] }>('settle', {
        account_id: accountId,
        ...oddities,
      });
      if (!data[0]) throw new Error(`sandbox settle: account ${accountId} waits for no payout`);
      return data[0];
    },
    changeSettlement: (id, change) => send('settlement', { id, ...change }),
    stranger: (accountId, payment) => post('stranger', { account_id: accountId, ...payment }),
    forget: (reference) => post('forget', { reference }),
    faults: (faults = {}) => post('faults', faults),
    expireTokens: () => post('expire-tokens', {}),
    stats: () => get('stats'),
    payments: async (reference) =>
      (
        await get<{ data: Awaited<ReturnType<SandboxControl['payments']>> }>(
          `payments?reference=${reference}`,
        )
      ).data,
  };
}
