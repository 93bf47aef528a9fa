package access

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain"
)

var (
	slugForm  = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)
	loginForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._@+-]{0,99}$`)
	emailForm = regexp.MustCompile(`^[^\s@]+@[^\s@]+$`)

	// localForm is what stands before the @ of an account of one tenant; scopeForm is the end of such a name, a tenant's
	// short name with a figure where that is taken
	localForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._+-]*$`)
	scopeForm = regexp.MustCompile(`@[a-z0-9-]+(\.[0-9]+)?$`)
)

// SystemSlug is the short name of the installation's own tenant, which nobody may use.
const SystemSlug = "system"

// CheckSlug returns an error if slug cannot be the short name of a new tenant.
func CheckSlug(slug string) error {
	if slug == SystemSlug {
		return domain.Refuse(domain.Invalid, "slug", "refused_name_system_taken")
	}
	if !slugForm.MatchString(slug) {
		return domain.Refuse(domain.Invalid, "slug", "refused_short_name_40")
	}
	return nil
}

// FoldLogin returns a login name in the form in which it is stored and looked up.
func FoldLogin(login string) string { return strings.ToLower(strings.TrimSpace(login)) }

// CheckLogin returns an error if a folded login name is not valid. It is plain ASCII, so that no two look alike.
func CheckLogin(login string) error {
	if !loginForm.MatchString(login) {
		return domain.Refuse(domain.Invalid, "login", "refused_login_name_100")
	}
	return nil
}

// OfOneTenant reports whether a folded login name has the form name@slug, which only accounts of one tenant get (rule
// SEC-21). An e-mail address has not, since its domain has a dot.
func OfOneTenant(login string) bool { return scopeForm.MatchString(login) }

// CheckGlobalLogin returns an error if a folded login name cannot be that of a new account of the whole installation.
func CheckGlobalLogin(login string) error {
	if err := CheckLogin(login); err != nil {
		return err
	}
	if OfOneTenant(login) {
		return domain.Refuse(domain.Invalid, "login", "refused_login_scoped")
	}
	return nil
}

// LoginIn returns the login name of a new account of one tenant: what was typed, with @ and the tenant's scope after it
// unless that was typed too. Another @ is refused, whatever stands after it.
func LoginIn(scope, typed string) (string, error) {
	local := strings.TrimSuffix(typed, "@"+scope)
	login := local + "@" + scope
	if !localForm.MatchString(local) || CheckLogin(login) != nil {
		return "", domain.Refuse(domain.Invalid, "login", "refused_login_local", "Name", "@"+scope)
	}
	return login, nil
}

// CheckEmail returns an error if a folded address is not valid. An empty one is.
func CheckEmail(email string) error {
	if email != "" && (len(email) > 254 || !emailForm.MatchString(email)) {
		return domain.Refuse(domain.Invalid, "email", "refused_mail_address")
	}
	return nil
}

// maxName is the longest display name, in characters.
const maxName = 100

// CheckName returns an error if a display name is empty or too long, or has invisible characters or ones that change
// how the text around them is displayed.
func CheckName(path, name string) error {
	n := utf8.RuneCountInString(name)
	switch {
	case strings.TrimSpace(name) == "":
		return domain.Refuse(domain.Invalid, path, "refused_name_needed")
	case n > maxName:
		return domain.Refuse(domain.Invalid, path, "refused_name_most_characters", "N", maxName, "Most", n)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unseen):
		return domain.Refuse(domain.Invalid, path, "refused_name_line_breaks")
	}
	return nil
}

// maxTitle is the longest job title, in characters.
const maxTitle = 100

// CleanTitle returns a job title without space around it, or an error if it is too long or has characters that CheckName
// refuses. It may be empty.
func CleanTitle(title string) (string, error) {
	title = strings.TrimSpace(title)
	switch n := utf8.RuneCountInString(title); {
	case n > maxTitle:
		return "", domain.Refuse(domain.Invalid, "title", "refused_job_title_long", "N", maxTitle, "Most", n)
	case !utf8.ValidString(title) || strings.ContainsFunc(title, unseen):
		return "", domain.Refuse(domain.Invalid, "title", "refused_job_title_breaks")
	}
	return title, nil
}

// unseen reports whether r is a control character or changes the direction of the text after it.
func unseen(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
