/**
 * What the Worker has in place of the parts of brackets-manager that read and delete (scripts/local/bundle.ts). The manager
 * makes one of each, and nothing calls them: we read the snapshot.
 */
class Unused {
  constructor() {
    // biome-ignore lint/correctness/noConstructorReturn: whatever is asked of it is refused.
    return new Proxy(this, { get: refuse });
  }
}

function refuse(_: object, name: string | symbol): never {
  throw new Error(`The Worker has no ${String(name)} of brackets-manager: scripts/local/bundle.ts leaves it out.`);
}

export { Unused as Delete, Unused as Find, Unused as Get };
