/**
 * A squarified treemap: rectangles whose areas are the values, as near to squares as they go (Bruls, Huizing and
 * van Wijk). Folders contain their files; what would be too small to see is left to its folder.
 */
export interface TreeNode {
  readonly name: string;
  readonly path: string;
  readonly value: number;
  readonly children: readonly TreeNode[];
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedNode extends Box {
  readonly node: TreeNode;
  readonly depth: number;
  /** Whether it is drawn as one box: a file, or a folder too small to open. */
  readonly leaf: boolean;
}

const HEADER = 16;
const GAP = 1;
const SMALLEST_FOLDER = 28;
const SMALLEST_SIDE = 2;

export function treeOf(files: readonly { readonly path: string; readonly value: number }[]): TreeNode {
  const root: Building = { name: "", path: "", value: 0, folders: new Map(), files: [] };
  for (const { path, value } of files) {
    const parts = path.split("/");
    let folder = root;
    root.value += value;
    for (const name of parts.slice(0, -1)) {
      let next = folder.folders.get(name);
      if (!next) {
        next = {
          name,
          path: folder.path === "" ? name : `${folder.path}/${name}`,
          value: 0,
          folders: new Map(),
          files: [],
        };
        folder.folders.set(name, next);
      }
      next.value += value;
      folder = next;
    }
    folder.files.push({ name: parts.at(-1) ?? path, path, value, children: [] });
  }
  return finish(root);
}

interface Building {
  readonly name: string;
  readonly path: string;
  value: number;
  readonly folders: Map<string, Building>;
  readonly files: TreeNode[];
}

/** A folder with nothing but one folder is drawn as one: `src/main/java`. */
function finish(folder: Building): TreeNode {
  const [only, ...others] = folder.folders.values();
  if (only && others.length === 0 && folder.files.length === 0) {
    return finish({ ...only, name: folder.name === "" ? only.name : `${folder.name}/${only.name}` });
  }
  const children = [...[...folder.folders.values()].map(finish), ...folder.files].sort(
    (a, b) => b.value - a.value,
  );
  return { name: folder.name, path: folder.path, value: folder.value, children };
}

export function placeTree(root: TreeNode, box: Box): PlacedNode[] {
  const placed: PlacedNode[] = [];
  place(root, box, 0, placed);
  return placed;
}

function place(node: TreeNode, box: Box, depth: number, placed: PlacedNode[]): void {
  if (box.width < SMALLEST_SIDE || box.height < SMALLEST_SIDE) return;
  const isFolder = node.children.length > 0;
  const opens = isFolder && (depth === 0 || (box.width >= SMALLEST_FOLDER && box.height >= SMALLEST_FOLDER));
  placed.push({ node, ...box, depth, leaf: !opens });
  if (!opens) return;
  const header = depth === 0 ? 0 : HEADER;
  const inner = {
    x: box.x + GAP,
    y: box.y + header + GAP,
    width: box.width - 2 * GAP,
    height: box.height - header - 2 * GAP,
  };
  for (const { item, ...rest } of squarify(node.children, inner)) place(item, rest, depth + 1, placed);
}

/** Rows along the shorter side; a row grows while its boxes become squarer. */
export function squarify<T extends { readonly value: number }>(
  items: readonly T[],
  box: Box,
): (Box & { item: T })[] {
  const total = items.reduce((sum, { value }) => sum + value, 0);
  const result: (Box & { item: T })[] = [];
  if (total <= 0 || box.width <= 0 || box.height <= 0) return result;
  const scale = (box.width * box.height) / total;
  let { x, y, width, height } = box;
  let from = 0;
  while (from < items.length) {
    const side = Math.min(width, height);
    let to = from + 1;
    let area = (items[from] as T).value * scale;
    let worst = ratio(area, area, area, side);
    while (to < items.length) {
      const next = (items[to] as T).value * scale;
      const grown = ratio((items[from] as T).value * scale, next, area + next, side);
      if (grown > worst) break;
      worst = grown;
      area += next;
      to += 1;
    }
    const thickness = side <= 0 ? 0 : area / side;
    let offset = 0;
    for (const item of items.slice(from, to)) {
      const length = thickness <= 0 ? 0 : (item.value * scale) / thickness;
      result.push(
        width >= height
          ? { item, x, y: y + offset, width: thickness, height: length }
          : { item, x: x + offset, y, width: length, height: thickness },
      );
      offset += length;
    }
    if (width >= height) {
      x += thickness;
      width -= thickness;
    } else {
      y += thickness;
      height -= thickness;
    }
    from = to;
  }
  return result;
}

/** The worst proportion of a row with these extremes. */
function ratio(largest: number, smallest: number, area: number, side: number): number {
  if (smallest <= 0) return Number.POSITIVE_INFINITY;
  const square = side * side;
  const squareArea = area * area;
  return Math.max((square * largest) / squareArea, squareArea / (square * smallest));
}
