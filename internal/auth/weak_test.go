package auth_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
)

// What guessers make of common words, names, rows of keys and sequences is refused; words that do not belong together
// are taken.
func TestWeakPasswords(t *testing.T) {
	names := []string{"Aisha Al Khatib · عائشة الخطيب", "aisha@energy.example", "moei", "Ministry of Energy"}
	for want, all := range map[error][]string{
		auth.ErrPasswordCommon: {
			"password12345", "12345password", "Password-1234567", "P@ssw0rd12345", "pa55w0rd98765", "!!!password!!!",
			"sunshine48215", "$un$hine48215", "dragon12345678", "monkey 98765432", "passwordqwerty", "1234password5678",
			"qwerty123456", "qwertyuiop12", "1qaz2wsx3edc", "1q2w3e4r5t6y", "asdfghjkl123", "123456789012", "asdfghjkl;'12",
			"sunshinesunshine", "password password", "passwordpassword1", "حشسسصخقي123456",
		},
		auth.ErrPasswordPattern: {
			"qwertyuiopasdf", "2wsx3edc4rfv", "2w3e4r5t6y7u", "abcdefgh23456", "zyxwvutsrqpo", "0987654321098", "11223344556677", "aaaabbbbcccc", "abc1abc1abc1",
			"horsehorsehorse", "ababababababab", "!@#$%^&*()!@", "1-2-3-4-5-6-7-8", "ابتثجحخدذرزس",
			"poiuytrewqlk", "rtyfghvbn345", strings.Repeat("ab", 64),
		},
		auth.ErrPasswordNames: {
			"sanad1234567", "Sanad-2026-11", "s4n4d!2026!!", "سند سند 2026!", "energy-2026-energy", "moei2026moei",
			"MinistryOfEnergy", "Ministry.of.Energy.1", "khatib482915", "aishakhatib1", "aisha-sanad-2026",
			"a15ha-48291736", "عائشة الخطيب", "energy example",
		},
		nil: {
			"orbit lemon stairs", "orbit-lemon-stairs", "energy of seven lemons", "aisha orbit lemon", "kq7#mVz2kq7#",
			"correct horse battery", "1234 orbit lemon", "property dirty thirty", "sanad is a fine tool here",
			"قمر نافذة سبعة", "عائشة تحب القمر والنجوم", "another password of hers", "Tr0ub4dor&3xyz", "8429175036184",
		},
	} {
		for _, p := range all {
			t.Run(p, func(t *testing.T) {
				err := auth.CheckPassword(auth.NewPassword{Password: p, Login: "a.khatib", Names: names, WithCode: true})
				require.ErrorIs(t, err, want)
			})
		}
	}
}
