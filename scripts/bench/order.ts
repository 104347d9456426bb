export function order(number: number) {
  const digits = String(number).padStart(7, '0');
  return {
    amount_kobo: 150_000 + (number % 5_000) * 100,
    email: `adaeze.okafor+${digits}@example.com`,
    name: 'Adaeze Okafor',
    phone: `0803${digits}`,
    reference: `ORDER-2026-${digits}`,
    description: `Order ${digits}: two ankara dresses and one pair of sandals, delivery to Surulere`,
    metadata: {
      order_id: `ord_${digits}`,
      cart_items: 3,
      channel: 'web',
      delivery: 'Surulere, Lagos',
    },
  };
}
