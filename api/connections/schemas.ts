import Type, { type Static } from 'typebox';
import type { Context } from '../../config/context.ts';
import type { ConnectionRow } from '../../domain/accounts/connection/connection.ts';
import { openCredentials } from '../../domain/accounts/connection/connection.ts';
import { MAX_POSITION, statusOf } from '../../domain/accounts/connection/connections.ts';
import { providers } from '../../domain/providers/registry.ts';
import type { Credentials } from '../../domain/shared/credentials.ts';
import * as s from '../http/schema.ts';
import { credentialsForm } from './credentials-form.ts';

const status = () =>
  s.choice('ConnectionStatus', ['enabled', 'disabled'], {
    description:
      '`disabled`: nothing new is sent through it; earlier payments are still checked. ' +
      'Its slot can be taken by another connection, and then its payments can still be refunded.',
  });

const POSITION = 'The order in which `auto` tries the connections of a mode.';
const position = () => Type.Integer({ description: POSITION, minimum: 1, maximum: MAX_POSITION });

export const createConnectionBody = s.body('CreateConnectionBody', {
  provider: s.provider('The slot it takes: the name of the provider in this API.'),
  credentials: credentialsForm,
  position: Type.Optional(position()),
});

export type CreateConnectionBody = Static<typeof createConnectionBody>;

export const updateConnectionBody = s.body('UpdateConnectionBody', {
  credentials: Type.Optional(credentialsForm),
  status: Type.Optional(status()),
  position: Type.Optional(position()),
});

export const connection = s.object(
  'Connection',
  'An account of the business at a payment provider, in one mode.',
  {
    object: s.kind('connection'),
    id: s.id('con'),
    provider: s.provider(),
    adapter: s.choice('ProviderName', Object.keys(providers), {
      description: 'The provider behind the slot.',
    }),
    mode: s.mode('`live` or `test`: the mode of the account.'),
    status: status(),
    position: Type.Integer({ description: POSITION, minimum: 0, examples: [1] }),
    sandbox: Type.Boolean({
      description: 'True: it calls the sandbox of this installation, not the provider.',
    }),
    credentials: Type.Unsafe<Record<string, string>>({
      description: 'The end of each credential, to tell them apart.',
      type: 'object',
      additionalProperties: { type: 'string' },
      examples: [{ secret_key: '…6789' }],
    }),
    notification_url: s.string(
      'Where the provider must send its notifications: enter it in the provider’s dashboard.',
      { examples: ['https://pay.example.com/notifications/con_01k2v8n0d4e7g9h3j5m6p8q1rs'] },
    ),
    credentials_refused_at: s.nullable(
      s.time('Since when the provider refuses the credentials: give the connection new ones.'),
    ),
    created_at: s.time('When it was created.'),
  },
);

export const connections = s.listOf('ConnectionList', connection, 'A page of connections.');

export const connectionCheck = s.object('ConnectionCheck', 'What the provider answered.', {
  object: s.kind('connection_check'),
  ok: Type.Boolean({
    description: 'Whether the provider accepts the credentials now.',
    examples: [true],
  }),
  message: s.string('What the provider answered, as a sentence for people.', {
    examples: ['The provider accepts the credentials.'],
  }),
  checked_at: s.time('When the provider was asked.'),
});

/** Never with secrets. */
export function connectionView({ env, vault }: Context, row: ConnectionRow) {
  return {
    object: 'connection' as const,
    id: row.id,
    provider: row.slot,
    adapter: row.adapter,
    mode: row.mode,
    status: statusOf(row),
    position: row.position,
    sandbox: row.sandbox,
    credentials: masked(openCredentials(vault, row)),
    notification_url: `${env.publicUrl}/notifications/${row.id}`,
    credentials_refused_at: row.credentials_refused_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** The end of anything shorter would show half of it. */
const SHORTEST_SHOWN = 12;

function masked(credentials: Credentials): Credentials {
  const mask = (value: string) => `…${value.length < SHORTEST_SHOWN ? '' : value.slice(-4)}`;
  return Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [name, mask(value)]),
  );
}
