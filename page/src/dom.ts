// Small helpers for the parts of the page that are not drawn in 3D.

export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    className = "",
    ...content: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    element.className = className;
    element.append(...content);
    return element;
}

export function button(
    className: string,
    label: string,
    title: string,
    action: () => void,
): HTMLButtonElement {
    const element = el("button", className, label);
    element.type = "button";
    setLabel(element, title);
    element.addEventListener("click", () => {
        action();
        element.blur(); // or the next Space would press it again
    });
    return element;
}

/** What a pointer and a screen reader are told an element is. */
export function setLabel(element: HTMLElement, label: string): void {
    if (element.title !== label) {
        element.title = label;
        element.setAttribute("aria-label", label);
    }
}

/** Writes only what is new: a text node that is written lays the page out again. */
export function setText(element: Element, text: string): void {
    if (element.textContent !== text) {
        element.textContent = text;
    }
}

export function setClass(element: Element, name: string, on: boolean): void {
    if (element.classList.contains(name) !== on) {
        element.classList.toggle(name, on);
    }
}

export function setStyle(element: HTMLElement, name: string, value: string): void {
    if (element.style.getPropertyValue(name) !== value) {
        element.style.setProperty(name, value);
    }
}
