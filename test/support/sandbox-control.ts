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
    options?: { outcome?: 'success' | 'failed'; channel?: string; amount_kobo?: number; notify?: boolean },
  ): Promise<void>;
  faults(faults?: Record<string, unknown>): Promise<void>;
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
    faults: (faults = {}) => post('faults', faults),
    stats: () => get('stats'),
    payments: async (reference) =>
      (await get<{ data: Awaited<ReturnType<SandboxControl['payments']>> }>(`payments?reference=${reference}`)).data,
  };
}
