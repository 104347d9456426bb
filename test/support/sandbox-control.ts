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

interface Payment {
  outcome?: 'success' | 'failed';
  channel?: string;
  amount_kobo?: number;
  payer_fee_kobo?: number;
  notify?: boolean;
  again?: boolean;
}

interface Change {
  status?: Oddities['status'];
  landed_kobo?: number;
  notify?: boolean;
}

/** What a provider does by its own will, or a payer there. */
export function sandboxControl(url: string) {
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
    openAccount: (account: object) => post('accounts', account),
    pay: (reference: string, options: Payment = {}) =>
      post('pay', { reference, outcome: 'success', ...options }),
    planRefund: (reference: string, outcome: 'completed' | 'failed' | 'needs-attention') =>
      post('refund', { reference, outcome }),
    failCompletedRefund: (reference: string) => post('refund', { reference, fail_completed: true }),
    refundNow: (reference: string, amountKobo?: number) =>
      post('refund', { reference, now: true, amount_kobo: amountKobo }),
    dispute: (reference: string, outcome?: 'won' | 'lost', amountKobo?: number) =>
      post('dispute', { reference, outcome, amount_kobo: amountKobo }),
    reverse: (reference: string, options: { notify?: boolean } = {}) =>
      post('reverse', { reference, ...options }),
    /** Pays out to one account, or to all; returns the first payout. */
    settle: async (accountId?: number, oddities: Oddities = {}) => {
      const asked = { account_id: accountId, ...oddities };
      const { data } = await send<{ data: PaidOut[] }>('settle', asked);
      if (!data[0])
        throw new Error(`sandbox settle: account ${accountId ?? 'of nobody'} waits for no payout`);
      return data[0];
    },
    changeSettlement: (id: number, change: Change) =>
      send<PaidOut>('settlement', { id, ...change }),
    /** A paid payment that the service did not create and of which no notification is sent. */
    stranger: (
      accountId: number,
      payment: { provider: string; reference: string; amount_kobo: number },
    ) => post('stranger', { account_id: accountId, ...payment }),
    forget: (reference: string) => post('forget', { reference }),
    faults: (faults: Record<string, unknown> = {}) => post('faults', faults),
    expireTokens: () => post('expire-tokens', {}),
    stats: () => get<Record<string, ProviderStats>>('stats'),
    payments: async (reference: string) => {
      type Payments = { reference: string; status: string; checkout_url: string }[];
      return (await get<{ data: Payments }>(`payments?reference=${reference}`)).data;
    },
  };
}
