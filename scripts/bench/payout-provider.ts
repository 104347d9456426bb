import express from 'express';
import { serve } from './serve.ts';

const PAYOUT_ID = 3_090_024;
export const LINE_FEE_KOBO = 2_250;

/** SQL of the payments of the payout, by their number `n`, as the provider lists them. */
export const LINE_AMOUNT = '150000 + n % 5000 * 100';
export const LINE_PAYMENT_ID = '4099000000 + n';
export const LINE_REFERENCE = `'SV-' || 100000 + n || '-' || lpad(n::text, 8, '0')`;

const amountOf = (n: number) => 150_000 + (n % 5_000) * 100;
const paymentIdOf = (n: number) => 4_099_000_000 + n;
const referenceOf = (n: number) => `SV-${100_000 + n}-${String(n).padStart(8, '0')}`;

/** A provider with one payout of `LINES` payments, in two wire formats. */
if (import.meta.main)
  await serve(() => {
    const lines = Number(process.env.LINES);
    const at = process.env.AT!;
    const all = numbersOf(1, lines);
    const netKobo = all.reduce((sum, n) => sum + amountOf(n) - LINE_FEE_KOBO, 0);
    const app = express();
    app.get('/', (_request, response) => void response.json({}));
    app.get('/paystack/settlement', (_request, response) => {
      const payout = {
        ...{ id: PAYOUT_ID, status: 'success', currency: 'NGN', deductions: 0 },
        ...{ total_amount: netKobo, effective_amount: netKobo, total_fees: lines * LINE_FEE_KOBO },
        ...{ settlement_date: at, createdAt: at, updatedAt: at },
      };
      const meta = { total: 1, perPage: 100, page: 1, pageCount: 1 };
      response.json({ status: true, message: 'Settlements retrieved', data: [payout], meta });
    });
    app.get('/paystack/settlement/:id/transactions', ({ query }, response) => {
      const [page, perPage] = [Number(query.page), Number(query.perPage)];
      const before = (page - 1) * perPage;
      const numbers = numbersOf(before + 1, Math.min(perPage, lines - before));
      const data = numbers.map((n) => paystackLine(n, at));
      const meta = { page, perPage, pageCount: Math.ceil(lines / perPage) };
      response.json({ status: true, message: 'Transactions retrieved', data, meta });
    });
    const payout = {
      ...{ id: PAYOUT_ID, status: 'completed', currency: 'NGN', net_amount: netKobo / 100 },
      ...{ refund: 0, chargeback: 0, due_date: at, processed_date: at, created_at: at },
    };
    app.get('/flutterwave/settlements', (_request, response) => {
      const data = [{ ...payout, meta: all.map(paymentIdOf) }];
      const meta = { page_info: { total_pages: 1 } };
      response.json({ status: 'success', message: 'Settlements fetched', data, meta });
    });
    const transactions = all.map((n) => flutterwaveLine(n, at));
    const body = JSON.stringify({
      ...{ status: 'success', message: 'Settlement fetched', data: { ...payout, transactions } },
    });
    app.get('/flutterwave/settlements/:id', (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(body);
    });
    return app;
  });

function numbersOf(first: number, count: number): number[] {
  return Array.from({ length: Math.max(0, count) }, (_, n) => first + n);
}

function paystackLine(n: number, at: string) {
  return {
    ...{ id: paymentIdOf(n), domain: 'test', status: 'success', currency: 'NGN' },
    ...{ reference: referenceOf(n), amount: amountOf(n), fees: LINE_FEE_KOBO },
    ...{ requested_amount: amountOf(n), channel: 'card', paid_at: at, created_at: at },
    ...{ gateway_response: 'Successful', metadata: { order: n } },
    customer: { id: n, email: `customer-${n}@mail.example` },
  };
}

function flutterwaveLine(n: number, at: string) {
  const [naira, fee] = [amountOf(n) / 100, LINE_FEE_KOBO / 100];
  return {
    ...{ id: paymentIdOf(n), flw_ref: `FLW-${n}`, tx_ref: referenceOf(n) },
    ...{ customer_email: `customer-${n}@mail.example`, charged_amount: naira, app_fee: fee },
    ...{ merchant_fee: 0, stampduty_charge: 0, settlement_amount: naira - fee, rrn: null },
    ...{ status: 'successful', payment_entity: 'card', transaction_date: at, currency: 'NGN' },
    card_locale: 'LOCAL',
  };
}
