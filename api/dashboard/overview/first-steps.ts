import type { Permission } from '../../../domain/accounts/roles.ts';
import { type SetUp, setUpOf } from '../../../domain/payments/figures/set-up.ts';
import type { DashboardRequest } from '../request.ts';

interface Step {
  title: string;
  about: string;
  path: string;
  permission: Permission;
  isDone: boolean;
}

/** What leads a business to its first payment in this mode: nothing any more once it was taken. */
export async function firstSteps({ context, session, now }: DashboardRequest): Promise<Step[]> {
  const setUp = await context.read((db) => setUpOf(db, session, now));
  return setUp.has_payment ? [] : stepsOf(setUp);
}

function stepsOf(setUp: SetUp): Step[] {
  return [
    {
      title: 'Connect a payment provider',
      about: 'With the keys from your account there, and our address for its notifications.',
      path: '/providers',
      permission: 'manage connections',
      isDone: setUp.is_connected,
    },
    {
      title: 'Prove the connection',
      about: 'Done once the provider has answered with its list of payments, in a minute or two.',
      path: '/providers',
      permission: 'manage connections',
      isDone: setUp.is_proved,
    },
    {
      title: 'Add a webhook endpoint',
      about: 'Where your server hears of payments. Payment links work without one.',
      path: '/developers#endpoints-title',
      permission: 'develop',
      isDone: setUp.has_endpoint,
    },
    {
      title: 'Make an API key',
      about: 'For your server or your web pages. Payment links work without one.',
      path: '/developers#keys-title',
      permission: 'develop',
      isDone: setUp.has_key,
    },
    {
      title: 'Take a first payment',
      about: 'Make a payment link and pay it yourself, or create a charge with the API.',
      path: '/payment-links',
      permission: 'manage payment links',
      isDone: setUp.has_payment,
    },
  ];
}
