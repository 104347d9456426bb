import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { SandboxContext } from './context.ts';
import { controlApi } from './control/control-api.ts';
import { type Api, send, sendJson } from './http.ts';
import { payPage } from './pay-page.ts';
import { providerApi } from './provider-api.ts';
import { uploads } from './uploads.ts';

const style = readFileSync(new URL('pages/assets/pay-page.css', import.meta.url), 'utf8');

/** The whole sandbox: the providers' APIs, their pages for people, and the control side. */
export function createApp(context: SandboxContext): RequestListener {
  const apis = new Map<string, Api>([
    ['/_control', controlApi(context)],
    ['/_uploads', uploads(context)],
  ]);
  for (const provider of Object.values(context.providers)) {
    apis.set(`/${provider.name}`, providerApi(context, provider));
    apis.set(`/${provider.name}/checkout`, payPage(context, provider));
  }
  return (request, response) => {
    logRequest(context, request, response);
    const { url = '/' } = request;
    if (url.includes('%00')) return refuseCharacter(response);
    const [, name = '', address = ''] = /^(\/[^/?]*(?:\/checkout(?![^/?]))?)(.*)$/s.exec(url) ?? [];
    if (url.startsWith('/_assets/pay-page.css'))
      return send(response, 200, style, { 'Content-Type': 'text/css', ...lasting });
    const api = apis.get(name);
    if (api) void api(request, response, address);
    else send(response, 404, 'Nothing is here.\n', { 'Content-Type': 'text/plain' });
  };
}

const lasting = { 'Cache-Control': 'public, max-age=3600' };

function logRequest(
  context: SandboxContext,
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
): void {
  const startedMs = performance.now();
  response.on('close', () => {
    context.log('request', {
      method,
      path: url.split('?', 1)[0],
      status: response.writableFinished ? response.statusCode : null,
      duration_ms: Math.round(performance.now() - startedMs),
    });
  });
}

function refuseCharacter(response: ServerResponse): void {
  sendJson(response, 400, { status: false, message: 'Invalid character in the address' });
}
