import { expect } from 'chai';
import type { Parameter } from '../../../api/openapi/types.ts';
import { NIL_TENANT_ID } from '../../../domain/shared/ids.ts';
import { newCharge } from '../../support/charges.ts';
import { openApi, pointerOf, problemsWith } from '../../support/openapi.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { useStack } from '../../support/stack.ts';

describe('GET /v1/openapi.json', () => {
  const stack = useStack();

  it('answers everybody, with the addresses of this deployment, and may be cached', async () => {
    for (const path of ['/v1/openapi.json', '/v1/v1/openapi.json']) {
      const { status, headers, json } = await rawRequest(stack, { path });
      expect(status).to.equal(200);
      expect(json).to.deep.equal(
        JSON.parse(JSON.stringify(openApi).replaceAll('http://localhost:4000', stack.origin)),
      );
      expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(headers.get('cache-control')).to.equal('public, max-age=300');
      expect(headers.get('request-id')).to.match(/^req_/);
      expect(headers.get('x-service-tenant')).to.equal(NIL_TENANT_ID);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
    }
  });

  it('describes the webhooks as they are sent', async () => {
    const { reference } = await newCharge(stack);
    await stack.settle();
    await stack.control.pay(reference);
    await stack.settle();
    const delivery = stack.receiver.received.at(-1)!;
    const { parameters } = openApi.webhooks['charge.succeeded']!.post;
    for (const { name } of parameters as Parameter[])
      expect(delivery.headers[name.toLowerCase()], name).to.be.a('string');
    const place = pointerOf(
      'webhooks',
      'charge.succeeded',
      'post',
      'requestBody',
      'content',
      'application/json',
      'schema',
    );
    expect(problemsWith(JSON.parse(delivery.body), place), delivery.body).to.deep.equal([]);
    expect(problemsWith({ ...JSON.parse(delivery.body), more: 1 }, place)).not.to.deep.equal([]);
  });
});
