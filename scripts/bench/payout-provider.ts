import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import express from 'express';
import { listen } from '../../config/listen.ts';
import { runUntilStopped, untilAborted } from '../../config/main.ts';
import {
  LINE_FEE_KOBO,
  lineAmount,
  linePaymentId,
  lineReference,
  PAYOUT_ID,
  payoutKobo,
} from './payout-lines.ts';

const lines = Number(process.env.LINES);
const at = process.env.AT!;

/**
 * A provider with one payout of `LINES` payments, in Paystack's wire format (a hundred a page) and
 * in Flutterwave's (all in one body). It makes each line when it is asked for, so that it takes
 * little of the machine that is measured.
 */
await runUntilStopped(async (stopped) => {
  const netKobo = payoutKobo(lines);
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
    const data = numbersOf(before + 1, Math.min(perPage, lines - before)).map(paystackLine);
    const meta = { page, perPage, pageCount: Math.ceil(lines / perPage) };
    response.json({ status: true, message: 'Transactions retrieved', data, meta });
  });
  const payout = {
    ...{ id: PAYOUT_ID, status: 'completed', currency: 'NGN', net_amount: netKobo / 100 },
    ...{ refund: 0, chargeback: 0, due_date: at, processed_date: at, created_at: at },
  };
  app.get('/flutterwave/settlements', (_request, response) => {
    const data = [{ ...payout, meta: numbersOf(1, lines).map(linePaymentId) }];
    const meta = { page_info: { total_pages: 1 } };
    response.json({ status: 'success', message: 'Settlements fetched', data, meta });
  });
  app.get('/flutterwave/settlements/:id', (_request, response) => {
    response.setHeader('content-type', 'application/json');
    Readable.from(flutterwaveBody(payout)).pipe(response);
  });
  await using _server = await listen(createServer(app), Number(process.env.PORT));
  await untilAborted(stopped);
});

function numbersOf(first: number, count: number): number[] {
  return Array.from({ length: Math.max(0, count) }, (_, n) => first + n);
}

function paystackLine(number: number) {
  return {
    ...{ id: linePaymentId(number), domain: 'test', status: 'success', currency: 'NGN' },
    ...{ reference: lineReference(number), amount: lineAmount(number), fees: LINE_FEE_KOBO },
    ...{ requested_amount: lineAmount(number), channel: 'card', paid_at: at, created_at: at },
    ...{ gateway_response: 'Successful', metadata: { order: number } },
    customer: { id: number, email: `customer-${number}@mail.example` },
  };
}

function* flutterwaveBody(payout: object): Generator<string> {
  const answer = {
    ...{ status: 'success', message: 'Settlement fetched', data: { ...payout, transactions: [] } },
  };
  const [beginning] = JSON.stringify(answer).split(']}}');
  yield beginning!;
  const perChunk = 500;
  for (let first = 1; first <= lines; first += perChunk) {
    const numbers = numbersOf(first, Math.min(perChunk, lines - first + 1));
    const chunk = numbers.map((number) => JSON.stringify(flutterwaveLine(number))).join(',');
    yield first === 1 ? chunk : `,${chunk}`;
  }
  yield ']}}';
}

function flutterwaveLine(number: number) {
  const [naira, fee] = [lineAmount(number) / 100, LINE_FEE_KOBO / 100];
  return {
    ...{ id: linePaymentId(number), flw_ref: `FLW-${number}`, tx_ref: lineReference(number) },
    ...{ customer_email: `customer-${number}@mail.example`, charged_amount: naira, app_fee: fee },
    ...{ merchant_fee: 0, stampduty_charge: 0, settlement_amount: naira - fee, rrn: null },
    ...{ status: 'successful', payment_entity: 'card', transaction_date: at, currency: 'NGN' },
    card_locale: 'LOCAL',
  };
}
