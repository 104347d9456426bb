// Loaded before a program (`node --import`) whose clock is to differ from the machine's: everything
// that reads the time of day reads it with the offset, the libraries too. Timers are not affected.
const offsetMs = Number(process.env.CLOCK_OFFSET_MS);
const MachineDate = Date;

globalThis.Date = new Proxy(MachineDate, {
  construct: (_target, args: [], newTarget) =>
    Reflect.construct(
      MachineDate,
      args.length === 0 ? [MachineDate.now() + offsetMs] : args,
      newTarget,
    ),
  apply: () => new MachineDate(MachineDate.now() + offsetMs).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => MachineDate.now() + offsetMs : Reflect.get(target, name, receiver),
});
