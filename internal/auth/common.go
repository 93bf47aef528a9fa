package auth

import (
	_ "embed"
	"errors"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// The length limits of a new password, in code points (rule SEC-2).
const (
	MinPassword         = 12
	MinPasswordWithCode = 8 // of somebody who logs in with a one-time code as well
	MaxPassword         = 128
)

// The reasons why a password is refused. CheckPassword wraps them, so that a page can explain in the reader's language.
var (
	ErrPasswordShort    = errors.New("password too short")
	ErrPasswordTiny     = errors.New("password too short even beside one-time codes")
	ErrPasswordLong     = errors.New("password too long")
	ErrPasswordSigns    = errors.New("password with characters that cannot be typed")
	ErrPasswordRepeated = errors.New("password of one character")
	ErrPasswordLogin    = errors.New("password made of the login name")
	ErrPasswordNames    = errors.New("password made of names around it")
	ErrPasswordPattern  = errors.New("password made of rows of keys, sequences or repetitions")
	ErrPasswordCommon   = errors.New("password in the list of common ones")
	ErrPasswordListed   = errors.New("password in the operator's list")
)

// NewPassword is a password that somebody wants, with what it is judged by.
type NewPassword struct {
	Password, Login string
	Names           []string   // the person's name and addresses, the organisation's names
	WithCode        bool       // the person logs in with a one-time code as well
	Forbidden       *Forbidden // the operator's list; nil if none
}

// CheckPassword refuses (domain.Invalid) a new password that is too short or too long, in a list of forbidden ones,
// mostly names of its surroundings, or mostly rows of keys, sequences and repetitions (rule SEC-2).
func CheckPassword(n NewPassword) error {
	password := n.Password
	if len(password) > maxHashed {
		return refused(ErrPasswordLong, "refused_most_128_characters")
	}
	if !utf8.ValidString(password) {
		return refused(ErrPasswordSigns, "refused_contains_characters_cannot")
	}
	p := normalPassword(password)
	switch length := passwordLength(password); {
	case n.WithCode && length < MinPasswordWithCode:
		return refused(ErrPasswordTiny,
			"refused_least_characters_needed")
	case !n.WithCode && length < MinPassword:
		return refused(ErrPasswordShort, "refused_least_12_characters")
	case utf8.RuneCountInString(p) > MaxPassword:
		return refused(ErrPasswordLong, "refused_most_128_characters")
	case strings.ContainsFunc(p, unicode.IsControl):
		return refused(ErrPasswordSigns, "refused_contains_characters_cannot")
	}
	p = fold(p)
	switch {
	case repeated(p):
		return refused(ErrPasswordRepeated, "refused_character_over_over")
	case madeOfLogin(p, fold(normalPassword(n.Login))):
		return refused(ErrPasswordLogin,
			"refused_hardly_more_login")
	case mostlyNames(p, append([]string{n.Login}, n.Names...)):
		return refused(ErrPasswordNames, "refused_half_letters_more")
	case common(p):
		return refused(ErrPasswordCommon,
			"refused_among_passwords_tried")
	case n.Forbidden.has(p):
		return refused(ErrPasswordListed,
			"refused_operator_does_allow")
	case patterned(p):
		return refused(ErrPasswordPattern, "refused_little_more_rows")
	}
	return nil
}

// passwordLength returns the code points of a password, of the two spellings the fewer: as typed, where one may stand
// for many letters, and normalised, where an accent and its letter are one.
func passwordLength(password string) int {
	return min(utf8.RuneCountInString(password), utf8.RuneCountInString(normalPassword(password)))
}

// NeedsCode reports whether a password is so short that it may stand only beside one-time codes.
func NeedsCode(password string) bool { return passwordLength(password) < MinPassword }

func refused(why error, id string) error {
	return &domain.Error{Kind: domain.Invalid, Path: "password", Message: words.Msg(id), Err: why}
}

// fold unifies the spellings that a guesser tries together: case, and the digits of the Arabic scripts.
func fold(s string) string { return strings.Map(asciiDigit, strings.ToLower(s)) }

func repeated(p string) bool {
	first, _ := utf8.DecodeRuneInString(p)
	return strings.Trim(p, string(first)) == ""
}

// madeOfLogin reports whether fewer than 4 characters of a password remain without the login name, or without the part
// of it before an @. For a name of one or two letters, only a password equal to the name is refused.
func madeOfLogin(p, login string) bool {
	local, _, _ := strings.Cut(login, "@")
	for _, name := range []string{login, local} {
		if p == name {
			return true
		}
		rest := p
		if utf8.RuneCountInString(name) >= 3 {
			rest = strings.ReplaceAll(p, name, "")
		}
		if rest != p && utf8.RuneCountInString(rest) < 4 {
			return true
		}
	}
	return false
}

// The lists, sorted: words/common.txt from @zxcvbn-ts/language-common (see words/common.LICENSE), words/arabic.txt
// ours.
var (
	//go:embed words/common.txt
	commonText string
	//go:embed words/arabic.txt
	arabicText string

	commonLists = sync.OnceValue(func() [][]string {
		return [][]string{strings.Split(strings.TrimSpace(commonText), "\n"),
			strings.Split(strings.TrimSpace(arabicText), "\n")}
	})
)

// common reports whether a folded password is in a list that every program has, or a word that many of these are made
// of, in any of the spellings that are tried together.
func common(p string) bool {
	return slices.ContainsFunc(spellings(p), func(word string) bool { return listed(word) || commonStems()[word] })
}

func listed(p string) bool {
	for _, list := range commonLists() {
		if _, found := slices.BinarySearch(list, p); found {
			return true
		}
	}
	return false
}
