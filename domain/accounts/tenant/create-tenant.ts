import type { EntityManager } from '@mikro-orm/core';
import type { Credentials } from '../../providers/provider.ts';
import { newId } from '../../shared/ids.ts';
import type { Mode } from '../../shared/reader.ts';
import { sha256Of } from '../../shared/sha256.ts';
import type { Slot } from '../../shared/slot.ts';
import type { Vault } from '../../shared/vault.ts';
import { WebhookEndpoint } from '../../webhooks/entities/endpoint.ts';
import { defaultEventTypes } from '../../webhooks/event/publish.ts';
import { sealCredentials } from '../connection/connection.ts';
import { ApiKey } from '../entities/api-key.ts';
import { Connection } from '../entities/connection.ts';
import { Member } from '../entities/member.ts';
import { Tenant } from '../entities/tenant.ts';
import {
  hashPassword,
  type KeyKind,
  newKey,
  newPassword,
  newWebhookSecret,
  type PasswordCost,
} from '../token/credentials.ts';

/** A tenant as an operator asks for it. */
export interface NewTenant {
  name: string;
  ownerEmail: string;
}

/** Everything shown once, in the names scripts read. */
export interface CreatedTenant {
  tenant_id: string;
  secret_key_test: string;
  public_key_test: string;
  secret_key_live: string;
  public_key_live: string;
  owner: { email: string; password: string };
}

/** What the verbs of this folder need: one unit of work, the vault, the moment. */
export interface Desk {
  em: EntityManager;
  vault: Vault;
  now: Date;
  /** Less than usual where nobody's password is worth guessing. */
  passwordCost?: PasswordCost;
}

/** Prepares a tenant with its Owner and a secret and a public key in each mode; written when the caller flushes. */
export async function createTenant(
  { em, now, passwordCost }: Desk,
  { name, ownerEmail }: NewTenant,
): Promise<CreatedTenant> {
  const tenantId = newId('ten', now);
  em.create(Tenant, { id: tenantId, name, created_at: now });
  const password = newPassword();
  const passwordHash = await hashPassword(password, passwordCost);
  em.create(Member, {
    id: newId('mem', now),
    tenant_id: tenantId,
    email: ownerEmail,
    role: 'owner',
    password_hash: passwordHash,
    created_at: now,
  });
  const key = (kind: KeyKind, mode: Mode) => addKey({ em, now }, tenantId, kind, mode);
  return {
    tenant_id: tenantId,
    secret_key_test: key('secret', 'test'),
    public_key_test: key('public', 'test'),
    secret_key_live: key('secret', 'live'),
    public_key_live: key('public', 'live'),
    owner: { email: ownerEmail, password },
  };
}

function addKey(
  { em, now }: Pick<Desk, 'em' | 'now'>,
  tenantId: string,
  kind: KeyKind,
  mode: Mode,
): string {
  const key = newKey(kind, mode);
  em.create(ApiKey, {
    id: newId('key', now),
    tenant_id: tenantId,
    mode,
    kind,
    sha256: sha256Of(key),
    last4: key.slice(-4),
    created_at: now,
  });
  return key;
}

export interface NewConnection {
  mode: Mode;
  slot: Slot;
  adapter: string;
  credentials: Credentials;
  /** True: it calls the sandbox, not the provider. Only operator scripts say so. */
  sandbox: boolean;
  position: number;
}

/** Prepares a connection with its credentials sealed; returns its id. */
export function addConnection(
  { em, vault, now }: Desk,
  tenantId: string,
  connection: NewConnection,
): string {
  const { mode, slot, adapter, sandbox, position } = connection;
  const id = newId('con', now);
  const credentials = sealCredentials(
    vault,
    { id, tenant_id: tenantId, mode },
    connection.credentials,
  );
  em.create(Connection, {
    id,
    tenant_id: tenantId,
    mode,
    slot,
    adapter,
    credentials,
    sandbox,
    position,
    created_at: now,
  });
  return id;
}

/** Prepares a webhook endpoint for the default event types; returns its secret, which is shown once. */
export function addWebhookEndpoint(
  { em, vault, now }: Desk,
  tenantId: string,
  mode: Mode,
  url: string,
): { id: string; secret: string } {
  const id = newId('whe', now);
  const secret = newWebhookSecret();
  const sealed = vault.seal(secret, {
    table: 'webhook_endpoints',
    row: id,
    tenant: tenantId,
    mode,
  });
  em.create(WebhookEndpoint, {
    id,
    tenant_id: tenantId,
    mode,
    url,
    event_types: [...defaultEventTypes],
    secret: sealed,
    created_at: now,
  });
  return { id, secret };
}
