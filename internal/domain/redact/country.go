package redact

import "strings"

// national is how many digits may follow a country code. {0, 0} means that only the limit of E.164 applies: 15 digits
// in all.
type national struct{ least, most int }

// countries are the calling codes in use (ITU E.164 Annex, assigned codes).
var countries = func() map[string]national {
	all := map[string]national{
		"1": {10, 10}, "7": {10, 10}, "20": {8, 10}, "33": {9, 9}, "34": {9, 9}, "44": {9, 10}, "61": {9, 9},
		"86": {9, 11}, "90": {10, 10}, "91": {10, 10}, "92": {9, 10}, "880": {8, 10}, "961": {7, 8}, "962": {8, 9},
		"963": {8, 9}, "964": {8, 10}, "965": {8, 8}, "966": {9, 9}, "967": {7, 9}, "968": {7, 8}, "970": {8, 9},
		"971": {8, 9}, "973": {8, 8}, "974": {7, 8},
	}
	for code := range strings.FieldsSeq("27 30 31 32 36 39 40 41 43 45 46 47 48 49 51 52 53 54 55 56 57 58 60 62 63 64 65 66 " +
		"81 82 84 93 94 95 98 211 212 213 216 218 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234 235 236 237 238 239 " +
		"240 241 242 243 244 245 246 247 248 249 250 251 252 253 254 255 256 257 258 260 261 262 263 264 265 266 267 268 269 290 " +
		"291 297 298 299 350 351 352 353 354 355 356 357 358 359 370 371 372 373 374 375 376 377 378 380 381 382 383 385 386 387 " +
		"389 420 421 423 500 501 502 503 504 505 506 507 508 509 590 591 592 593 594 595 596 597 598 599 670 672 673 674 675 676 " +
		"677 678 679 680 681 682 683 685 686 687 688 689 690 691 692 800 808 850 852 853 855 856 870 878 881 882 883 886 888 960 " +
		"972 975 976 977 979 992 993 994 995 996 998") {
		all[code] = national{}
	}
	return all
}()

// international reports whether d, without + or 00, is a country code and a number of a length that fits it. A trunk 0
// that is written in parentheses is not counted: +966 (0)55 123 4567.
func international(d string) bool {
	for n := 1; n <= 3 && n < len(d); n++ {
		fits, known := countries[d[:n]]
		if !known {
			continue
		}
		rest := d[n:]
		if n+fits.most < len(d) {
			rest = strings.TrimPrefix(rest, "0")
		}
		if d[:n] == "966" && strings.HasPrefix(rest, "800") { // toll-free numbers have one digit more
			return len(rest) == 10
		}
		if fits.most > 0 {
			return len(rest) >= fits.least && len(rest) <= fits.most
		}
		return len(d) >= 8 && len(d) <= 15
	}
	return false
}
