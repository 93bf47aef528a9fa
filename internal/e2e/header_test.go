package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// The menus of the header open inside the window, in both languages, also on a telephone.
func TestMenusOpenInsideTheWindow(t *testing.T) {
	a := startApp(t)
	b := open(t, a)
	const person = "Khalid Abdulrahman Al Marri · خالد عبدالرحمن المري" // as the demo has them, and longer
	for _, lang := range []string{"en", "ar"} {
		for _, width := range []int64{1280, 760, 360, 320} {
			b.width(width)
			b.visit("/sessions?lang=" + lang)
			for i := range eval[int](b, `document.querySelectorAll(".tools details.menu").length`) {
				name := fmt.Sprintf("%s %d menu %d", lang, width, i)
				edges := eval[[]float64](b, fmt.Sprintf(`(() => {
					document.querySelectorAll(".tools details.menu").forEach((m, i) => m.open = i === %d);
					document.querySelector(".who bdi").textContent = %q;
					const r = document.querySelector(".tools details[open] > div").getBoundingClientRect();
					return [r.left, r.right - document.documentElement.clientWidth, r.width];
				})()`, i, person))
				b.picture("menu-" + fmt.Sprintf("%s-%d-%d", lang, width, i))
				require.Positive(t, edges[2], name)
				require.GreaterOrEqual(t, edges[0], 0.0, name)
				require.LessOrEqual(t, edges[1], 0.0, name)
			}
		}
	}
}
