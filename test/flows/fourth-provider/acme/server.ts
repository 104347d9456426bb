import { createServer } from 'node:http';
import express from 'express';
import { listen } from '../../../../config/listen.ts';

export const token = 'acme_test_0123456789';

export async function startAcme() {
  const payments = new Map<string, { reference: string; amountKobo: number; paidAt?: Date }>();
  const app = express();
  app.use(express.json(), ({ headers }, response, next) => {
    if (headers.authorization === `Bearer ${token}`) next();
    else response.sendStatus(401);
  });
  app.get('/account', (_request, response) => void response.json({ name: 'Ada Stores' }));
  app.post('/payments', ({ body }, response) => {
    payments.set(body.reference, body);
    response.json({ url: `https://pay.acme.example/${body.reference}` });
  });
  app.get('/payments/:reference', ({ params }, response) => {
    const payment = payments.get(params.reference);
    if (payment) response.json(payment);
    else response.sendStatus(404);
  });
  const server = await listen(createServer(app), 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${server.port}`,
    payAll(paidAt: Date) {
      for (const payment of payments.values()) Object.assign(payment, { paidAt });
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
