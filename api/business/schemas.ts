import Type, { type Static } from 'typebox';
import type { TenantRow } from '../../domain/accounts/tenant/business.ts';
import { body, kind, object, string, tenantId, text, time } from '../http/schema.ts';

const name = () =>
  text(100, { description: 'The name that payers see.', examples: ['Ada’s Shop'] });

const requiresSecondFactor = () =>
  Type.Boolean({
    description:
      'True: every member signs in with a code of an authenticator app. Sessions without one wait ' +
      'until it is set up.',
    examples: [false],
  });

export const updateBusinessBody = body('UpdateBusinessBody', {
  name: Type.Optional(name()),
  time_zone: Type.Optional(
    text(64, {
      format: 'time-zone',
      description: 'The time zone of its days, by its IANA name.',
      examples: ['Africa/Lagos'],
    }),
  ),
  requires_second_factor: Type.Optional(requiresSecondFactor()),
});

export type UpdateBusinessBody = Static<typeof updateBusinessBody>;

export const business = object('Business', 'The merchant’s business.', {
  object: kind('business'),
  id: tenantId(),
  name: name(),
  time_zone: string('The time zone of its days, by its IANA name.', {
    examples: ['Africa/Lagos'],
  }),
  requires_second_factor: requiresSecondFactor(),
  created_at: time('When it was created.'),
});

export function businessView(row: TenantRow) {
  return {
    object: 'business' as const,
    id: row.id,
    name: row.name,
    time_zone: row.time_zone,
    requires_second_factor: row.requires_second_factor,
    created_at: row.created_at.toISOString(),
  };
}
