package accounts

import (
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/redact"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
)

// showRedaction shows the tenant's own redaction patterns.
func (s *server) showRedaction(c echo.Context) error {
	own, err := s.Store.Patterns(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	text := accountsviews.PatternLines(own)
	return s.redactionPage(c, http.StatusOK, own, accountsviews.RedactionForm{Text: text, Seen: text})
}

// redactionPage shows the form; own are the patterns in force.
func (s *server) redactionPage(c echo.Context, status int, own []redact.Pattern,
	form accountsviews.RedactionForm) error {
	inForce, err := redact.New(own)
	if err != nil {
		return err
	}
	form.Profile = inForce.Profile()
	return s.Render(c, status, accountsviews.Redaction(accountsviews.NewRedactionPage(s.Chrome(c), form)))
}

// saveRedaction changes the patterns. What was typed is kept if it is refused, and if somebody else saved first.
func (s *server) saveRedaction(c echo.Context) error {
	ctx, who := c.Request().Context(), s.Who(c)
	form := accountsviews.RedactionForm{Text: c.FormValue("patterns"), Seen: c.FormValue("seen")}
	typed, lines, fault := patternsOf(form.Text)
	// written by the page itself; if it was changed it equals no stored patterns, which is a conflict
	seen, _, _ := patternsOf(form.Seen)
	status := http.StatusUnprocessableEntity
	if form.Fault = fault; fault.Word == "" {
		err := s.Store.SetPatterns(ctx, who, seen, typed)
		if err == nil {
			return web.SeeOther(c, "/admin/redaction?done=saved")
		}
		if form.Fault = patternFault(err, lines); form.Fault.Word == "" {
			return err
		}
		status = web.FaultOf(err).Status
	}
	own, err := s.Store.Patterns(ctx, who.Tenant)
	if err != nil {
		return err
	}
	if form.Fault.Word == "conflict" {
		form.Now = accountsviews.PatternLines(own)
		form.Seen = form.Now
	}
	return s.redactionPage(c, status, own, form)
}

// patternsOf reads one pattern per line and returns the line of each; empty lines are skipped.
func patternsOf(text string) (out []redact.Pattern, lines []int, fault accountsviews.RedactionFault) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.Trim(line, " \t\r\n")
		if line == "" {
			continue
		}
		kind, expr, ok := strings.Cut(line, " ")
		if expr = strings.TrimLeft(expr, " \t"); !ok || expr == "" {
			return nil, nil, accountsviews.RedactionFault{Word: "form", Line: n}
		}
		out, lines = append(out, redact.Pattern{Kind: kind, Expr: expr}), append(lines, n)
	}
	return out, lines, fault
}

var patternPath = regexp.MustCompile(`^patterns\[(\d+)\]\.(kind|expr)$`)

// patternFault returns why patterns were refused; the zero value if the error is not about the form.
func patternFault(err error, lines []int) accountsviews.RedactionFault {
	var told *domain.Error
	if !errors.As(err, &told) {
		return accountsviews.RedactionFault{}
	}
	switch m := patternPath.FindStringSubmatch(told.Path); {
	case told.Kind == domain.Conflict:
		return accountsviews.RedactionFault{Word: "conflict"}
	case told.Kind == domain.Invalid && told.Path == "patterns":
		return accountsviews.RedactionFault{Word: "many"}
	case told.Kind == domain.Invalid && m != nil:
		i, _ := strconv.Atoi(m[1]) // digits
		return accountsviews.RedactionFault{Word: m[2], Line: lines[i], Why: told.Text()}
	}
	return accountsviews.RedactionFault{}
}
