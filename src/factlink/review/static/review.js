"use strict";
// Keys for what can be clicked: an element says its keys in data-key, a field in data-focus. Without this file all
// of it still works by mouse and by Tab and Enter.
(() => {
  let sent = false;
  addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
  addEventListener("pageshow", () => {
    sent = false;
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (event.key === "Escape") {
      document.activeElement?.blur();
      return;
    }
    if (event.target.closest("input, textarea, select")) return;
    const key = CSS.escape(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    const field = document.querySelector(`[data-focus="${key}"]`);
    const control = document.querySelector(`[data-key~="${key}"]`);
    if (!field && !control) return;
    event.preventDefault();
    if (field) field.focus();
    else control.click();
  });
})();
