import {
  attributeOf,
  type Child,
  classesOf,
  createElement,
  type Element,
  elementsOf,
  findElement,
  hasClass,
  isBlank,
  isElement,
  isStyled,
  type Parent,
  setChildren,
  textOf,
} from './tree.ts';

interface Item {
  /** 1 for the outermost list. */
  level: number;
  tag: 'ul' | 'ol';
  /** Tasks have a list of their own: beside them, other items would lose their marks. */
  isTask: boolean;
  start: number;
  element: Element;
}

/** Builds nested lists from items with levels; items of the same type and level share a list. */
function nest(items: readonly Item[]): Element[] {
  const lists: Element[] = [];
  const open: { level: number; isTask: boolean; list: Element }[] = [];
  for (const { level, tag, isTask, start, element } of items) {
    while ((open.at(-1)?.level ?? 0) > level) open.pop();
    const last = open.at(-1);
    if (last?.level === level && last.list.tagName === tag && last.isTask === isTask)
      last.list.children.push(element);
    else {
      if (last?.level === level) open.pop();
      const list = createElement(tag, tag === 'ol' && start > 1 ? { start } : {}, [element]);
      const parent = open.at(-1)?.list.children.at(-1);
      if (isElement(parent)) parent.children.push(list);
      else lists.push(list);
      open.push({ level, isTask, list });
    }
  }
  return lists;
}

const NUMBER_MARK = /^\(?([\d一二三四五六七八九十a-z]+)[.)、．]/i;

/** Word writes list items as paragraphs with a style that names the level, and the mark as text. */
function readWordItem(paragraph: Element): Item | null {
  if (paragraph.tagName !== 'p') return null;
  const style = attributeOf(paragraph, 'style');
  if (
    !/mso-list:\s*l\d/i.test(style) &&
    !classesOf(paragraph).some((name) => name.startsWith('MsoListParagraph'))
  )
    return null;
  const mark = findElement(paragraph, (each) => isStyled(each, /mso-list:\s*ignore/i));
  const text = mark === undefined ? '' : textOf(mark).trim();
  if (mark !== undefined) mark.children = [];
  const [, number] = NUMBER_MARK.exec(text) ?? [];
  return {
    level: Number(/level(\d)/i.exec(style)?.[1] ?? 1),
    tag: number === undefined ? 'ul' : 'ol',
    isTask: false,
    start: Number.parseInt(number ?? '1', 10) || 1,
    element: createElement('li', {}, paragraph.children),
  };
}

const LEVEL_CLASS = /^list-(?:bullet|number|check|todo)(\d)$/;

/** 飞书 and 语雀 write each item, or each level, as a list of its own. */
function readFlatList(list: Element): Item[] | null {
  if (!isElement(list, 'ul', 'ol')) return null;
  const level = classesOf(list)
    .map((name) => LEVEL_CLASS.exec(name)?.[1])
    .find((found) => found !== undefined);
  const isLake = hasClass(list, 'ne-list-wrap', 'ne-ul', 'ne-ol', 'ne-tl');
  if (level === undefined && !isLake) return null;
  if (hasClass(list, 'ne-list-wrap'))
    return list.children.flatMap((child) => (isElement(child) ? (readFlatList(child) ?? []) : []));
  const own = level === undefined ? 1 + (Number(attributeOf(list, 'ne-level')) || 0) : Number(level);
  const start = Number(attributeOf(list, 'start')) || 1;
  return list.children.flatMap((child) =>
    isElement(child, 'li')
      ? [
          {
            level: own,
            tag: list.tagName as 'ul' | 'ol',
            isTask: readTask(child) !== null,
            start,
            element: child,
          },
        ]
      : [],
  );
}

/** Replaces runs of siblings that are list items by nested lists. */
function rebuildLists(parent: Parent): void {
  const children: Child[] = [];
  let run: Item[] = [];
  const end = () => {
    children.push(...nest(run));
    run = [];
  };
  for (const child of parent.children as Child[]) {
    if (child.type === 'element') {
      const word = readWordItem(child);
      const items = word === null ? readFlatList(child) : [word];
      if (items !== null) {
        for (const { element } of items) rebuildLists(element);
        run.push(...items);
        continue;
      }
      end();
      rebuildLists(child);
    } else if (run.length > 0 && isBlank(child)) continue;
    else end();
    children.push(child);
  }
  end();
  setChildren(parent, children);
}

/** A list directly in a list belongs to the item before it. */
function moveNestedLists(list: Element): void {
  const items: Child[] = [];
  for (const child of list.children) {
    const last = items.findLast((each) => isElement(each, 'li'));
    if (isElement(child, 'ul', 'ol')) {
      if (isElement(last)) last.children.push(child);
      else items.push(createElement('li', {}, [child]));
    } else items.push(child);
  }
  setChildren(list, items);
}

const DONE = /^(?:done|checked|true)$/;

/** Whether a task is done; null if the item is not a task. */
function readTask(item: Element): boolean | null {
  const kind = attributeOf(item, 'dataList');
  if (/^(?:check|todo|done|checked)$/.test(kind)) return DONE.test(kind) || hasClass(item, 'list-done');
  const checked = attributeOf(item, 'dataChecked');
  if (/^(?:true|false)$/.test(checked)) return checked === 'true';
  for (const element of elementsOf(item)) {
    if (element.tagName === 'li') break;
    if (element.tagName === 'input' && attributeOf(element, 'type') === 'checkbox')
      return 'checked' in element.properties && element.properties.checked !== false;
  }
  return null;
}

function removeCheckboxes(parent: Element): void {
  setChildren(
    parent,
    (parent.children as Child[]).filter((child) => {
      if (isElement(child) && child.tagName !== 'ul' && child.tagName !== 'ol') removeCheckboxes(child);
      return !isElement(child, 'input');
    }),
  );
}

/** Notion writes the box of a task as text. */
function readTextBox(item: Element): boolean | null {
  let first: Child | undefined = item;
  while (isElement(first)) first = (first.children as Child[]).find((child) => !isBlank(child));
  const [box, mark] = first?.type === 'text' ? (/^\s*\[([ xX]?)\]\s/.exec(first.value) ?? []) : [];
  if (box === undefined || first?.type !== 'text') return null;
  first.value = first.value.slice(box.length);
  return mark?.toLowerCase() === 'x';
}

function convertTask(item: Element): void {
  const isDone = readTask(item) ?? readTextBox(item);
  if (isDone === null) return;
  removeCheckboxes(item);
  unwrapParagraph(item);
  item.children.unshift(createElement('input', { type: 'checkbox', ...(isDone ? { checked: true } : {}) }));
}

/** `<li><p>…</p></li>` would have empty lines between the items. */
function unwrapParagraph(item: Element): void {
  const content = (item.children as Child[]).filter((child) => !isBlank(child));
  const [first, ...rest] = content;
  if (!isElement(first, 'p', 'div', 'section') || !rest.every((child) => isElement(child, 'ul', 'ol')))
    return;
  if (
    first.children.some((child) =>
      isElement(child, 'p', 'div', 'section', 'pre', 'table', 'blockquote', 'x-block'),
    )
  ) {
    // 公众号 wraps the paragraph once more.
    const [only, ...others] = (first.children as Child[]).filter((child) => !isBlank(child));
    if (others.length > 0 || !isElement(only, 'p', 'div', 'section')) return;
    setChildren(item, [only, ...rest]);
    unwrapParagraph(item);
    return;
  }
  setChildren(item, [...(first.children as Child[]), ...rest]);
}

export function convertLists(root: Parent): void {
  rebuildLists(root);
  const elements = [...elementsOf(root)];
  for (const element of elements) if (isElement(element, 'ul', 'ol')) moveNestedLists(element);
  for (const element of elements) if (element.tagName === 'li') convertTask(element);
  for (const element of elementsOf(root)) if (element.tagName === 'li') unwrapParagraph(element);
}
