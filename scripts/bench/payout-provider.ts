import { createServer, type ServerResponse } from 'node:http';
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

/**
 * A provider with one payout of `LINES` payments, in Paystack's wire format (a hundred a page) and
 * in Flutterwave's (all in one body). It makes each line when it is asked for, so that it takes
 * little of the machine that is measured.
 */
await runUntilStopped(async (stopped) => {
  const lines = Number(process.env.LINES);
  const at = process.env.AT!;
  const netKobo = payoutKobo(lines);
  const app = express();
  app.get('/', (_request, response) => void response.json({}));
  app.get('/paystack/settlement', (_request, response) => {
    const amounts = {
      total_amount: netKobo,
      effective_amount: netKobo,
      total_fees: lines * LINE_FEE_KOBO,
      deductions: 0,
    };
    const data = [
      {
        id: PAYOUT_ID,
        status: 'success',
        currency: 'NGN',
        ...amounts,
        settlement_date: at,
        createdAt: at,
        updatedAt: at,
      },
    ];
    response.json({
      status: true,
      message: 'Settlements retrieved',
      data,
      meta: { total: 1, perPage: 100, page: 1, pageCount: 1 },
    });
  });
  app.get('/paystack/settlement/:id/transactions', ({ query }, response) => {
    const [page, perPage] = [Number(query.page), Number(query.perPage)];
    const count = Math.max(0, Math.min(perPage, lines - (page - 1) * perPage));
    const data = Array.from({ length: count }, (_, n) =>
      paystackLine((page - 1) * perPage + n + 1, at),
    );
    response.json({
      status: true,
      message: 'Transactions retrieved',
      data,
      meta: { page, perPage, pageCount: Math.ceil(lines / perPage) },
    });
  });
  const flutterwave = {
    id: PAYOUT_ID,
    status: 'completed',
    currency: 'NGN',
    net_amount: netKobo / 100,
    refund: 0,
    chargeback: 0,
  };
  const dates = { due_date: at, processed_date: at, created_at: at };
  app.get('/flutterwave/settlements', (_request, response) => {
    const meta = Array.from({ length: lines }, (_, n) => linePaymentId(n + 1));
    response.json({
      status: 'success',
      message: 'Settlements fetched',
      data: [{ ...flutterwave, ...dates, meta }],
      meta: { page_info: { total_pages: 1 } },
    });
  });
  app.get('/flutterwave/settlements/:id', (_request, response) =>
    stream(response, { ...flutterwave, ...dates }, lines, at),
  );
  await using _server = await listen(createServer(app), Number(process.env.PORT));
  await untilAborted(stopped);
});

function paystackLine(number: number, at: string) {
  return {
    ...{
      id: linePaymentId(number),
      domain: 'test',
      status: 'success',
      reference: lineReference(number),
      amount: lineAmount(number),
    },
    ...{
      requested_amount: lineAmount(number),
      fees: LINE_FEE_KOBO,
      currency: 'NGN',
      channel: 'card',
      paid_at: at,
      created_at: at,
    },
    ...{
      gateway_response: 'Successful',
      customer: { id: number, email: `customer-${number}@mail.example` },
      metadata: { order: number },
    },
  };
}

function stream(response: ServerResponse, settlement: object, lines: number, at: string): void {
  response.setHeader('content-type', 'application/json');
  Readable.from(body(settlement, lines, at)).pipe(response);
}

function* body(settlement: object, lines: number, at: string): Generator<string> {
  const [beginning] = JSON.stringify({
    status: 'success',
    message: 'Settlement fetched',
    data: { ...settlement, transactions: [] },
  }).split(']}}');
  yield beginning!;
  const perChunk = 500;
  for (let first = 1; first <= lines; first += perChunk) {
    const count = Math.min(perChunk, lines - first + 1);
    const chunk = Array.from({ length: count }, (_, n) =>
      JSON.stringify(flutterwaveLine(first + n, at)),
    ).join(',');
    yield first === 1 ? chunk : `,${chunk}`;
  }
  yield ']}}';
}

function flutterwaveLine(number: number, at: string) {
  const naira = lineAmount(number) / 100;
  return {
    ...{
      customer_email: `customer-${number}@mail.example`,
      flw_ref: `FLW-${number}`,
      tx_ref: lineReference(number),
      id: linePaymentId(number),
    },
    ...{
      charged_amount: naira,
      app_fee: LINE_FEE_KOBO / 100,
      merchant_fee: 0,
      stampduty_charge: 0,
      settlement_amount: naira - LINE_FEE_KOBO / 100,
    },
    ...{
      status: 'successful',
      payment_entity: 'card',
      transaction_date: at,
      currency: 'NGN',
      card_locale: 'LOCAL',
      rrn: null,
    },
  };
}
