// Elements of the page. Text from a run becomes a text node or an attribute, never HTML.

type Attributes = Record<string, string|number|boolean|((event: any) => void)>;
type Child = Node|string|number;

function filled<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function")
      element.addEventListener(name, value);
    else if (value === true)
      element.setAttribute(name, "");
    else if (value !== false)
      element.setAttribute(name, String(value));
  }
  for (const child of children)
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  return element;
}

export function html<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
    tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

// A number that a program can read as well as a person.
export function number(value: number, text: string, key: string): HTMLElement {
  return html("data", {value, "data-key": key}, text);
}

export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return html(
      "section", {id, "aria-labelledby": `${id}-title`}, html("h2", {id: `${id}-title`}, title),
      ...children);
}
