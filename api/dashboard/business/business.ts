import { getBusiness } from '../../business/get-business.ts';
import { updateBusiness } from '../../business/update-business.ts';
import type { Form, View } from '../request.ts';

/** The settings of the business. */
export const businessView: View = {
  path: '/business',
  title: 'Business',
  template: 'business/business',
  section: 'business',
  permission: 'manage members',
  async load({ call }) {
    return { business: await call(getBusiness), timeZones: Intl.supportedValuesOf('timeZone') };
  },
};

export const changeBusinessForm: Form = {
  path: '/business',
  view: businessView,
  permission: 'manage members',
  async submit({ call, values }) {
    const {
      name,
      time_zone,
      requires_second_factor: demand,
      support_email,
      support_phone,
    } = values;
    const body = {
      name,
      time_zone,
      requires_second_factor: demand === 'yes',
      support_email: support_email || null,
      support_phone: support_phone || null,
    };
    await call(updateBusiness, { body });
    return { to: '/business', notice: 'business_changed' };
  },
};
