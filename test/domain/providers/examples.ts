export const reference = 'SV-100001-abcdefgh';
export const refundId = 'ref_01jn9z7k3e8h6t4b2v5w9xq0yd';
export const options = { timeoutMs: 2_000 };

export const order = {
  ...{ reference, amountKobo: 500_050, currency: 'NGN', description: 'Two tickets' },
  ...{ email: 'ada@example.com', name: 'Ada', phone: '+2348012345678' },
  ...{ callbackUrl: 'https://pay.example/pay/ct_1?returned=1', expiresInMs: 24 * 3_600_000 },
  testScenario: null,
};

export const disputeResponse = {
  ...({ providerDisputeId: '358950', kind: 'evidence', amountKobo: 500_000 } as const),
  details: 'Two tickets, used at the door.',
  customer: { email: 'ada@example.com', name: 'Ada Obi', phone: '+2348012345678' },
  file: null,
  delivery: { address: '3a Ladoke Street', date: '2026-03-01' },
};
