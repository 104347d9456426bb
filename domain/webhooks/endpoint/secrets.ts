import type { RowOf } from '../../shared/columns.ts';
import type { SealedFor, Vault } from '../../shared/vault.ts';
import type { WebhookEndpoint } from '../entities/endpoint.ts';
import { webhookHeaders } from '../signature.ts';

export type EndpointRow = RowOf<typeof WebhookEndpoint>;

export type OldSecret = EndpointRow['old_secrets'][number];

/** With sealed secrets. */
export type SigningEndpoint = Pick<
  EndpointRow,
  'id' | 'tenant_id' | 'mode' | 'secret' | 'old_secrets'
>;

export const sealedFor = ({
  id,
  tenant_id,
  mode,
}: Pick<SigningEndpoint, 'id' | 'tenant_id' | 'mode'>): SealedFor => ({
  table: 'webhook_endpoints',
  row: id,
  tenant: tenant_id,
  mode,
});

/** Newest first. */
export const stillSigning = (
  { old_secrets }: Pick<SigningEndpoint, 'old_secrets'>,
  now: Date,
): OldSecret[] => old_secrets.filter(({ until }) => Date.parse(until) > now.getTime());

/** Signed with every live secret. Throws when one does not open. */
export function deliveryHeaders(
  vault: Vault,
  endpoint: SigningEndpoint,
  event: { id: string; body: string },
  at: Date,
) {
  const sealed = [endpoint.secret, ...stillSigning(endpoint, at).map(({ secret }) => secret)];
  const secrets = sealed.map((secret) => vault.open(secret, sealedFor(endpoint)));
  return webhookHeaders(
    { eventId: event.id, body: event.body, timestamp: Math.floor(at.getTime() / 1000) },
    secrets,
  );
}
