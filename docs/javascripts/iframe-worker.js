// Search in pages that were opened from a folder: browsers start no workers there, so a hidden frame does the work.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inside = this.frame.contentWindow;
      addEventListener("message", (event) => {
        if (event.source === inside) {
          const message = new MessageEvent("message", { data: event.data });
          this.dispatchEvent(message);
          if (this.onmessage) this.onmessage(message);
        }
      });
      const page = inside.document;
      page.open();
      page.write("<!doctype html><body></body>");
      page.close();
      inside.postMessage = (data) => {
        const message = new MessageEvent("message", { data, source: inside });
        window.dispatchEvent(message);
      };
      inside.importScripts = (...urls) =>
        urls.reduce((before, each) => before.then(() => load(page, each)), Promise.resolve());
      load(page, url).then(() => {
        this.ready = true;
        this.waiting.forEach((data) => this.postMessage(data));
      });
    }

    postMessage(data) {
      if (!this.ready) {
        this.waiting.push(data);
      } else {
        this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
      }
    }

    terminate() {
      this.frame.remove();
    }
  };

  function load(page, url) {
    return new Promise((done, failed) => {
      const script = page.createElement("script");
      script.src = url;
      script.onload = done;
      script.onerror = failed;
      page.body.appendChild(script);
    });
  }
}
