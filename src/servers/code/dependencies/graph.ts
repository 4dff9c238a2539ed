/**
 * The graph of imports between the project's files or folders, its cycles (strongly connected parts, Tarjan), and
 * its drawings as Mermaid and DOT.
 */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** How many imports it stands for. */
  readonly count: number;
}

export class DependencyGraph {
  readonly #edges = new Map<string, Map<string, number>>();
  readonly #nodes = new Set<string>();

  addNode(node: string): void {
    this.#nodes.add(node);
  }

  addEdge(from: string, to: string): void {
    this.#nodes.add(from);
    this.#nodes.add(to);
    const targets = this.#edges.get(from) ?? new Map<string, number>();
    targets.set(to, (targets.get(to) ?? 0) + 1);
    this.#edges.set(from, targets);
  }

  get nodes(): readonly string[] {
    return [...this.#nodes].sort();
  }

  edges(): Edge[] {
    return [...this.#edges]
      .flatMap(([from, targets]) => [...targets].map(([to, count]) => ({ from, to, count })))
      .sort((a, b) => b.count - a.count || (a.from + a.to < b.from + b.to ? -1 : 1));
  }

  /** The same graph between the groups that `groupOf` names; what stays within a group is no edge. */
  grouped(groupOf: (node: string) => string): DependencyGraph {
    const graph = new DependencyGraph();
    for (const node of this.#nodes) graph.addNode(groupOf(node));
    for (const [from, targets] of this.#edges) {
      for (const [to, count] of targets) {
        const [a, b] = [groupOf(from), groupOf(to)];
        if (a !== b) for (let i = 0; i < count; i += 1) graph.addEdge(a, b);
      }
    }
    return graph;
  }

  /** Only what is, or touches, a node that `keep` names. */
  around(keep: (node: string) => boolean): DependencyGraph {
    const graph = new DependencyGraph();
    for (const node of this.#nodes) if (keep(node)) graph.addNode(node);
    for (const { from, to, count } of this.edges()) {
      if (keep(from) || keep(to)) for (let i = 0; i < count; i += 1) graph.addEdge(from, to);
    }
    return graph;
  }

  /** Groups of nodes that all reach each other, largest first. Without recursion: chains may be long. */
  cycles(): string[][] {
    const order = new Map<string, number>();
    const low = new Map<string, number>();
    const onStack = new Set<string>();
    const stack: string[] = [];
    const found: string[][] = [];
    for (const start of this.nodes) {
      if (order.has(start)) continue;
      const work: { node: string; targets: string[]; next: number }[] = [];
      const enter = (node: string) => {
        order.set(node, order.size);
        low.set(node, order.get(node) as number);
        stack.push(node);
        onStack.add(node);
        work.push({ node, targets: [...(this.#edges.get(node)?.keys() ?? [])], next: 0 });
      };
      enter(start);
      for (let frame = work.at(-1); frame; frame = work.at(-1)) {
        const target = frame.targets[frame.next];
        if (target !== undefined) {
          frame.next += 1;
          if (!order.has(target)) enter(target);
          else if (onStack.has(target)) lower(low, frame.node, order.get(target) as number);
          continue;
        }
        work.pop();
        const parent = work.at(-1);
        if (parent) lower(low, parent.node, low.get(frame.node) as number);
        if (low.get(frame.node) !== order.get(frame.node)) continue;
        const part = stack.splice(stack.lastIndexOf(frame.node));
        for (const node of part) onStack.delete(node);
        if (part.length > 1) found.push(part.sort());
      }
    }
    return found.sort((a, b) => b.length - a.length || ((a[0] as string) < (b[0] as string) ? -1 : 1));
  }
}

function lower(low: Map<string, number>, node: string, value: number): void {
  low.set(node, Math.min(low.get(node) as number, value));
}

export function toMermaid(edges: readonly Edge[]): string {
  const names = new Map<string, string>();
  const id = (node: string) => {
    if (!names.has(node)) names.set(node, `n${names.size}`);
    return names.get(node) as string;
  };
  const arrows = edges.map(
    ({ from, to, count }) => `  ${id(from)} -->${count > 1 ? `|${count}|` : ""} ${id(to)}`,
  );
  const labels = [...names].map(([node, name]) => `  ${name}["${node.replace(/"/g, "#quot;")}"]`);
  return ["graph LR", ...labels, ...arrows].join("\n");
}

export function toDot(edges: readonly Edge[]): string {
  const quote = (text: string) => `"${text.replace(/[\\"]/g, "\\$&")}"`;
  const lines = edges.map(
    ({ from, to, count }) => `  ${quote(from)} -> ${quote(to)}${count > 1 ? ` [label=${count}]` : ""};`,
  );
  return ["digraph dependencies {", "  rankdir=LR;", "  node [shape=box];", ...lines, "}"].join("\n");
}
