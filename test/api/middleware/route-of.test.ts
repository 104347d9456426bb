import { expect } from 'chai';
import { routeOf } from '../../../api/middleware/route-of.ts';

describe('The route of a request in figures', () => {
  const cases: [url: string, pattern: string | undefined, route: string][] = [
    ['/v1/charges/SV-1?x=1', '/charges/:reference', '/v1/charges/:reference'],
    ['/v1/nothing/here', undefined, '/v1'],
    ['/pay/ct_1', '/:checkout', '/pay/:checkout'],
    ['/dashboard', '/', '/dashboard'],
    ['/healthz', '/healthz', '/healthz'],
    ['/wp-login.php', undefined, 'other'],
    ['http://elsewhere/v1/charges', '/charges', 'other'],
  ];

  it('is a pattern of the code, whatever address was asked for', () => {
    for (const [originalUrl, path, route] of cases)
      expect(routeOf({ originalUrl, route: path && { path } }), originalUrl).to.equal(route);
    const below = { originalUrl: '/collect/v1/charges', route: { path: '/charges' } };
    expect(routeOf(below, '/collect')).to.equal('/v1/charges');
  });
});
