package e2e

import (
	"fmt"
	"testing"

	"sanad/internal/domain"
)

const placeholders = `[...document.querySelectorAll("input[placeholder]")].filter(e => e.getClientRects().length).map(e => {
	const c = document.createElement("canvas").getContext("2d"), s = getComputedStyle(e);
	c.font = s.font; const w = c.measureText(e.placeholder).width, r = e.clientWidth - parseFloat(s.paddingLeft) - parseFloat(s.paddingRight);
	return w > r ? e.placeholder + " " + Math.round(w) + ">" + Math.round(r) : ""; }).filter(Boolean)`

const clipped = `(() => { const out = [];
	const nav = document.querySelector(".top nav ul").getBoundingClientRect();
	for (const e of document.querySelectorAll(".top nav a, .brand, .top .find, .tools > * ")) {
		const r = e.getBoundingClientRect();
		if (!r.width) continue;
		if (r.left < -0.5 || r.right > innerWidth + 0.5) out.push(e.textContent.trim() + " outside");
		if (e.closest("nav") && (r.left < nav.left - 1 || r.right > nav.right + 1)) out.push(e.textContent.trim() + " clipped");
		if (!e.closest("nav") && e.scrollWidth > e.clientWidth + 1) out.push(e.textContent.trim() + " overflow");
	}
	const els = [...document.querySelectorAll(".top nav a, .brand, .top .find, .tools > *")].filter(e => e.getBoundingClientRect().width);
	for (let i = 0; i < els.length; i++) for (let j = i + 1; j < els.length; j++) {
		const [a, b] = [els[i], els[j]].map(e => e.getBoundingClientRect());
		if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) out.push(els[i].textContent.trim() + " over " + els[j].textContent.trim());
	}
	const bdi = document.querySelector(".who bdi");
	if (bdi.scrollWidth > bdi.clientWidth) out.push("name cut: " + bdi.textContent);
	return out; })()`

func TestProbeHeader(t *testing.T) {
	a := startApp(t)
	for _, role := range []domain.Role{domain.Viewer, domain.Reviewer, domain.Approver, domain.Admin} {
		m := a.member(t, "x-"+string(role), "Khalid Al Marri · خالد المري", role)
		b := open(t, a)
		b.setCookie(m.cookie)
		for _, lang := range []string{"en", "ar"} {
			for _, w := range []int64{1100, 1280, 1366, 1920, 900, 760} {
				b.width(w)
				b.visit("/sessions?lang=" + lang)
				b.until("document.fonts.status === 'loaded'")
				fmt.Println(role, lang, w, eval[[]string](b, clipped), eval[[]string](b, placeholders))
				b.screen(fmt.Sprintf("header-%s-%s-%d", role, lang, w))
			}
		}
	}
	b := open(t, a)
	for _, w := range []int64{1280, 1920, 760, 360} {
		for _, lang := range []string{"en", "ar"} {
			b.width(w)
			b.visit(a.session("vendor-review.json") + "?lang=" + lang)
			eval[bool](b, `document.getElementById("palette").showModal() ?? true`)
			fmt.Println(lang, w, eval[[]string](b, placeholders))
		}
	}
}
