// Shows each page in a frame of each width, and notes what doesn't fit.
(async () => {
  const findings = [];
  let looked = 0;
  for (const width of WIDTHS) {
    for (const page of PAGES) {
      const frame = document.createElement("iframe");
      frame.style.cssText = `width: ${width}px; height: 900px; border: 0`;
      const loaded = new Promise((resolve) => (frame.onload = resolve));
      frame.src = page;
      document.body.append(frame);
      await loaded;
      const inside = frame.contentDocument;
      inside.querySelectorAll("details").forEach((details) => (details.open = true));
      const root = inside.documentElement;
      const note = (what) => findings.push(`${page}, ${width} pixels: ${what}`);
      // What is too wide may be pushed sideways within the page.
      for (const box of [root, ...inside.querySelectorAll(".content, main")])
        if (box.scrollWidth > box.clientWidth + 1) note(`${box.scrollWidth} pixels wide`);
      for (const code of inside.querySelectorAll("main pre code")) {
        const style = frame.contentWindow.getComputedStyle(code);
        const begin = code.textContent.trim().slice(0, 40);
        if (parseFloat(style.fontSize) < 12) note(`code of ${style.fontSize}: ${begin}`);
        // On a phone code may be pushed sideways, on a desktop it is seen whole; messages of the compiler may be longer.
        const isText = code.className.includes("language-text");
        if (width > 1000 && !isText && code.scrollWidth > code.clientWidth + 1) note(`code too wide: ${begin}`);
        const push = style.overflowX;
        if (code.scrollWidth > code.clientWidth + 1 && push !== "auto" && push !== "scroll")
          note(`code cut off: ${begin}`);
      }
      looked += 1;
      frame.remove();
    }
  }
  document.getElementById("found").textContent = [`looked at ${looked}`, ...findings].join("\n");
})();
