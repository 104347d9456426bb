/** What a provider was asked to do, as it counted it. */
export interface ProviderStats {
  creates: number;
  distinct_references: number;
  resent_after_accept: number;
  verifies: number;
  captures: number;
  refunds: number;
  notifications: number;
}

/** The sandbox's control side. Every call throws when it is refused. */
export interface SandboxControl {
  pay(
    reference: string,
    options?: { outcome?: 'success' | 'failed'; channel?: string; amount_kobo?: number; notify?: boolean; again?: boolean },
  ): Promise<void>;
  /** How the next refund of a payment ends. */
  planRefund(reference: string, outcome: 'completed' | 'failed' | 'needs-attention'): Promise<void>;
  /** Refunds at once, all that is left or a part, as somebody may in the provider's dashboard. */
  refundNow(reference: string, amountKobo?: number): Promise<void>;
  /** Opens a dispute; with an outcome, decides it too. */
  dispute(reference: string, outcome?: 'won' | 'lost'): Promise<void>;
  faults(faults?: Record<string, unknown>): Promise<void>;
  /** Ends every login before its time, where a provider has logins. */
  expireTokens(): Promise<void>;
  stats(): Promise<Record<string, ProviderStats>>;
  payments(reference: string): Promise<{ reference: string; status: string; checkout_url: string }[]>;
}

export function sandboxControl(url: string): SandboxControl {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/_control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`sandbox ${path}: ${response.status} ${await response.text()}`);
  };
  const get = async <T>(path: string) => (await (await fetch(`${url}/_control/${path}`)).json()) as T;
  return {
    pay: (reference, options = {}) => post('pay', { reference, outcome: 'success', ...options }),
    planRefund: (reference, outcome) => post('refund', { reference, outcome }),
    refundNow: (reference, amountKobo) => post('refund', { reference, now: true, amount_kobo: amountKobo }),
    dispute: (reference, outcome) => post('dispute', { reference, outcome }),
    faults: (faults = {}) => post('faults', faults),
    expireTokens: () => post('expire-tokens', {}),
    stats: () => get('stats'),
    payments: async (reference) =>
      (await get<{ data: Awaited<ReturnType<SandboxControl['payments']>> }>(`payments?reference=${reference}`)).data,
  };
}
