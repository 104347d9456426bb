import { lookup } from 'node:dns';
import { Agent } from 'undici';
import { isPublicHost, publicLookup } from '../../shared/public-hosts.ts';
import type { DisputeResponse } from '../port/dispute.ts';
import { ProviderError } from '../port/provider-error.ts';
import { callProvider, type Deadline, providerAgent } from './http.ts';

export interface UploadedFile {
  name: string;
  type: string;
  bytes: Buffer;
}

const kinds = {
  pdf: { name: 'evidence.pdf', type: 'application/pdf' },
  jpeg: { name: 'evidence.jpg', type: 'image/jpeg' },
  png: { name: 'evidence.png', type: 'image/png' },
};

export function uploaded({ type, bytes }: NonNullable<DisputeResponse['file']>): UploadedFile {
  return { ...kinds[type], bytes };
}

/**
 * Puts a file where the provider says. Unless that is its own origin, it must be on the public
 * internet, by https. The address carries its own credentials, and none of the account's are sent.
 */
export async function upload(
  baseUrl: string,
  url: unknown,
  { type, bytes }: UploadedFile,
  { timeoutMs, signal, stage }: Deadline & { stage: string },
): Promise<void> {
  const target = typeof url === 'string' ? URL.parse(url) : null;
  const isOwn = target?.origin === new URL(baseUrl).origin;
  if (!target || !(isOwn || isPublic(target)))
    throw new ProviderError('refused', stage, 'the provider names no public address for the file');
  const request = {
    ...({
      method: 'PUT',
      url: target.href,
      headers: { 'content-type': type },
      body: bytes,
    } as const),
    ...{ timeoutMs, signal, stage, dispatcher: isOwn ? providerAgent : storageAgent },
  };
  const { status } = await callProvider(request);
  if (status < 200 || status >= 300)
    throw new ProviderError('retryable', stage, `the file was not taken (HTTP ${status})`);
}

const storageAgent = new Agent({ connect: { lookup: publicLookup([], lookup) } });

function isPublic({ protocol, hostname, username, password }: URL): boolean {
  return protocol === 'https:' && username === '' && password === '' && isPublicHost(hostname);
}
