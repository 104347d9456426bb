import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import type { Request, Response } from 'express';
import { logRequest } from '../../../api/middleware/request.ts';
import type { Env } from '../../../config/env.ts';
import type { Logger } from '../../../config/logger.ts';
import { createMetrics } from '../../../config/observability/metrics.ts';
import type { RequestLog } from '../../../config/observability/request-log.ts';
import { noTracing } from '../../../config/observability/tracing.ts';
import { createClock } from '../../support/clock.ts';

const credential = { kind: 'secret', mode: 'test', subjectId: 'key_1' };

function loggedPaths(originalUrl: string): [string, string] {
  const requests: { path: string }[] = [];
  const requestLog = {
    add: (request: { path: string }) => requests.push(request),
  } as unknown as RequestLog;
  const lines: { path: string }[] = [];
  const log = {
    info: (_message: string, line: { path: string }) => lines.push(line),
  } as unknown as Logger;
  const response = Object.assign(new EventEmitter(), {
    locals: { tenantId: 'ten_1', credential },
    statusCode: 200,
    writableFinished: true,
    set: () => response,
  });
  const env = { basePath: '' } as Env;
  logRequest({
    log,
    clock: createClock(),
    requestLog,
    metrics: createMetrics(),
    tracing: noTracing,
    env,
  })({ method: 'GET', originalUrl } as Request, response as unknown as Response, () => {});
  response.emit('close');
  return [lines[0]!.path, requests[0]!.path];
}

describe('A request’s log line', () => {
  const id = '01m7xxezqaek88r46xke8tm3ne';
  const shown: [url: string, path: string][] = [
    [`/pay/ct_${id}`, '/pay/ct_…'],
    [`/pay/ct_${id}/status?returned=1`, '/pay/ct_…/status'],
    [`/l/lnk_${id}`, '/l/lnk_…'],
    [`/l/LNK_${id.toUpperCase()}`, '/l/LNK_…'],
    [`/v1/payment-links/lnk_${id}/disable`, '/v1/payment-links/lnk_…/disable'],
    [`/l/lnk_${id}/lnk_${id}`, '/l/lnk_…/lnk_…'],
    [`/v1/transactions/txn_${id}?customer=ada@example.com`, `/v1/transactions/txn_${id}`],
    ['/v1/charges/SV-100001', '/v1/charges/SV-100001'],
    [`/v1/api-keys/svc_sk_live_${'7'.repeat(36)}`, '/v1/api-keys/svc_sk_live_…'],
    [`/v1/charges/svc_pk_test_${'7'.repeat(36)}/cancel`, '/v1/charges/svc_pk_test_…/cancel'],
    [`/v1/nothing/whsec_${'7+/'.repeat(14)}`, '/v1/nothing/whsec_…'],
    [`/v1/auth/hrt_${'7'.repeat(40)}`, '/v1/auth/hrt_…'],
    [`/pay/ct%5F${id}`, '/pay/ct_…'],
    [`/pay/%63%74%5f${id}`, '/pay/ct_…'],
    [`/pay/ct%255F${id}`, '/pay/ct_…'],
    [`/set%2Dpassword/${'7'.repeat(40)}`, '/set-password/…'],
    ['/v1/%E2%82%A6%0A%7F%', '/v1/%E2%82%A6%0A%7F%'],
  ];
  it('redacts the tokens of checkouts and links, and every credential', () => {
    for (const [url, path] of shown) expect(loggedPaths(url), url).to.deep.equal([path, path]);
  });
});
