"use strict";

/**
 * Shows in both languages what is wrong where the page, a script or a style is not whole; it stands in the page itself,
 * before anything else. Guard.whole() is the last line of the page.
 */
const Guard = (() => {
  const SECONDS = 8;
  const PAGE = /*@PAGE@*/null;
  const POLICY = /*@POLICY@*/null;
  let whole = false, shown = null, forbidden = null;

  // Some hosts show NAME.html at NAME/, where its links would lead astray.
  if (location.pathname.endsWith(`/${PAGE.replace(".html", "")}/`)) history.replaceState(null, "", `../${PAGE}${location.search}${location.hash}`);

  const missing = (file) => forbidden ? showPolicy() : show(`The file ${file} is missing or damaged, or the host sends it as something else. Load the page again. ` +
    "If that does not help, the owner of the page must copy all its files to the host again.",
  `文件 ${file} 缺失、损坏，或主机给出的类型不对。请重新加载页面；如果仍然不行，请网站管理者重新上传本页的全部文件。`);

  function show(english, chinese) {
    if (shown) return;
    shown = document.createElement("div");
    shown.id = "guard";
    shown.setAttribute("role", "alert");
    shown.style.cssText = "margin: 16px auto; padding: 12px 16px; max-width: 560px; font: 15px/1.5 sans-serif; color: #7a1010; background: #fde8e6; border-radius: 10px";
    for (const [text, lang] of [[english, "en"], [chinese, "zh-CN"]]) {
      shown.append(Object.assign(document.createElement("p"), { textContent: text, lang }));
    }
    put();
  }

  /** Says what the policy forbids in place of what follows from it. */
  function showPolicy() {
    shown?.remove();
    shown = null;
    show(`The host's Content-Security-Policy forbids a part of this page (${forbidden}). The owner of the page must allow: ${POLICY}`,
      `主机的 Content-Security-Policy 禁止了本页的一部分（${forbidden}）。请网站管理者允许：${POLICY}`);
  }

  function put() { if (shown && document.body) document.body.prepend(shown); }

  function file(address) { return address.replace(/[?#].*$/, "").split("/").slice(-1)[0] || "index.html"; }

  document.addEventListener("securitypolicyviolation", ({ disposition, effectiveDirective, blockedURI }) => {
    if (disposition !== "enforce" || !/^(script|style)-src/.test(effectiveDirective)) return;
    forbidden = `${effectiveDirective}: ${blockedURI}`;
    // A busy browser tells of it after the last line of the page, before or after the error of the file that it kept away.
    if (!whole || shown) showPolicy();
  });
  addEventListener("error", ({ target, message, filename }) => {
    if (target?.src || target?.href) missing(file(target.src || target.href));
    else if (!whole) missing(`${file(filename || location.href)} (${message})`);
  }, true);
  document.addEventListener("DOMContentLoaded", () => {
    if (!whole) missing(file(location.href));
    put();
  });
  setTimeout(() => {
    if (!whole) show(`The host has sent nothing for ${SECONDS} s. Check the connection, or load the page again.`, `主机已 ${SECONDS} 秒没有发送数据。请检查网络，或重新加载页面。`);
  }, 1000 * SECONDS);

  return { whole: () => { whole = true; } };
})();
