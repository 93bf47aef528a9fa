package text

import (
	"math/bits"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// CoveredTag reports whether a BCP 47 tag names English or Arabic, the languages whose words are compared; "" and "und"
// are unknown.
func CoveredTag(tag string) (covered, known bool) {
	primary, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-")), "-")
	switch primary {
	case "", "und", "mul", "zxx":
		return false, false
	case "en", "eng", "ar", "ara":
		return true, true
	}
	return false, true
}

// functionWords are words by which a sentence shows its language, in the languages that are most likely to be taken for
// English by their script alone. Each word is in none of English's ordinary sentences.
var functionWords = sync.OnceValue(func() map[string]uint32 {
	return languageTable(
		`le la les des du de une un dans est sont et au aux pour par sur avec que qui ne pas ce cette ces leur il elle nous
		vous ont être sans mais ou où plus selon d l qu n`,
		`der die das und ist nicht ein eine einen einem einer mit für auf dem den des zu zum zur von sich werden wird wurde
		sind hat haben bei nach aus auch oder als im beträgt muss müssen innerhalb erhalten erhält pro alle wenn kann können
		darf dürfen`,
		`el la los las una uno unos que es son y con por para del de al se su sus como más no está pero según debe deben
		durante`,
		`ve bir için ile bu olarak olan değil daha gibi her kadar yıl yılda vardır olur eder edilir gün çalışan çalışanlar
		hakkı sahiptir`,
		`il lo gli la le di che è una un del della dei delle per con non sono nel nella al alla da ed anche più si`,
		`o os as uma um que não é são do da dos das em no na nos nas para com por ao se mais foi dias`,
		`het een de van en voor niet zijn op dat met aan te wordt worden bij ook naar uit heeft hebben moet dagen`,
		`yang dan untuk dengan ini itu di ke dari pada adalah tidak dalam akan oleh setiap harus hari dapat`,
		`och att det som en ett på är för med av inte den till har kan från eller ska og ikke til av på er på som det`,
		`nie się na do jest z w i oraz dla przez od po są który które dni musi`,
		`hai hain ki ko ka ke mein aur se nahi kya ye yeh woh par liye din`,
		`ja on ei että se ovat mutta kuin joka tai sekä hän voi`,
		`és az egy hogy nem van ez meg kell vagy minden nap`,
		`și este nu cu pe din în la sunt care pentru o un să`,
		`của và là không được cho có trong các một với người những`,
		`ya na wa kwa ni katika la za cha kila siku`,
	)
})

// particles stand inside names of any language: "Charles de Gaulle", "Ursula von der Leyen".
var particles = plainSet(`de la le les du des di da do dos das del della der den van von el al ya na o y e bin ibn ben
	ap`)

// homographs are English function words that other languages write too: they show no language.
var homographs = plainSet(`a i o in an am on as do no me he so was has at to is of or by it such us be`)

// loans are English words written with marks.
var loans = plainSet(`café cafés résumé résumés naïve cliché clichés façade façades fiancé fiancée née crème crêpe décor
		déjà vu éclair jalapeño piñata soufflé touché vis-à-vis über voilà à coöperate coördinate protégé rosé sauté entrée
		entrées décolletage élite émigré señor über doppelgänger naïveté papier-mâché raison d'être`)

// languageTable returns for each word a bit for each of the lists that have it: 32 at most.
func languageTable(lists ...string) map[string]uint32 {
	out := map[string]uint32{}
	for i, l := range lists {
		for _, w := range strings.Fields(l) {
			out[w] |= 1 << i
		}
	}
	return out
}

// plainSet is a set of words as they are written: marks tell languages apart, so they aren't folded.
func plainSet(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// fewWords is the most words that say too little about their language.
const fewWords = 3

// IsForeign reports whether a text is clearly in a language other than English or Arabic, by its function words and
// letters. Text that shows no language, such as titles, names and figures, isn't foreign.
func IsForeign(s string) bool {
	words := wordsOf(s)
	if strings.IndexByte(s, '"') >= 0 || strings.Contains(s, "“") {
		if own := wordsOf(quotedPattern.ReplaceAllString(s, " ")); len(own) > 1 {
			words = own // a quoted title may be in any language
		}
	}
	if len(words) <= fewWords {
		return false
	}
	if Script(s) == "ar" {
		return isForeignArabic(words)
	}
	return isForeignLatin(words)
}

var quotedPattern = regexp.MustCompile(`"[^"]{1,200}"|“[^”]{1,200}”`)

func wordsOf(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	})
}

// isForeignLatin weighs the function words of other languages, and words with marks, against English function words.
func isForeignLatin(words []string) bool {
	english, marked := 0, 0
	common := functionWords()
	var counts [32]int // by the bits of functionWords
	for i, w := range words {
		low := strings.ToLower(w)
		if low != w && (i > 0 || len(words) > 1 && isCapitalised(words[1])) {
			continue // a name or a title
		}
		switch {
		case englishWords[low] && !homographs[low]:
			english++
		case !isASCII(low) && !loans[low] && low == w:
			marked++
		}
		if englishWords[low] || particles[low] && inName(words, i) {
			continue
		}
		for set := common[low]; set != 0; set &= set - 1 {
			counts[bits.TrailingZeros32(set)]++
		}
	}
	most := 0
	for _, n := range counts {
		most = max(most, n)
	}
	return most+marked >= 2 && most+marked > english+len(words)/12
}

// inName reports whether a particle joins two capitalised words, other particles between them ignored.
func inName(words []string, i int) bool {
	before, behind := i-1, i+1
	for before >= 0 && particles[words[before]] {
		before--
	}
	for behind < len(words) && particles[words[behind]] {
		behind++
	}
	return before >= 0 && behind < len(words) && isCapitalised(words[before]) && isCapitalised(words[behind])
}

func isCapitalised(w string) bool { return w != strings.ToLower(w) }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// englishWords are English function words, written out: stop words, modals, quantifiers and prepositions.
var englishWords = plainSet(`a an the this that these those it its he him his she her hers they them their we us our you
	your i me my who whom whose which what there here and or but so if then than as of to in on at by for from with into
	onto upon about through via is are was were be been being am do does did have has had having also too very such when
	where while how why because not no may must can shall will should would could might all each every any some most
	more less least only up out over under after before within without during until between against per both either
	neither`)

const (
	foreignLetters = "پچژگکیھےہںٹڈڑۀۂۆێەڕڵښځڅړډټڼ"
	arabicMarks    = "ةىيكأإؤئ" // letters that Arabic has and these languages write otherwise or seldom
)

var (
	foreignArabicWords = plainSet(`است این که را از به در با می های برای آن شود هر تا یا ہے ہیں کے کی میں اور سے کا کو پر
		نے یہ کہ دە لە بۆ او په د دی چې`)
	arabicWords = plainSet(`في من على إلى الى أن ان إن عن مع هذا هذه ذلك التي الذي بعد قبل كل أو او لا لم لن هو هي
		كان فی علی الی`)
)

// isForeignArabic weighs the letters and function words of Persian, Urdu, Kurdish and Pashto against what only Arabic
// has. Letters alone may come from a keyboard or a foreign name.
func isForeignArabic(words []string) bool {
	foreign, lettered, arabic := 0, 0, 0
	for _, w := range words {
		switch {
		case arabicWords[w] || strings.HasPrefix(w, "ال") || strings.HasPrefix(w, "وال") || strings.HasPrefix(w,
			"بال") || strings.HasPrefix(w, "لل"):
			arabic++
		case foreignArabicWords[w]:
			foreign++
		case strings.ContainsAny(w, foreignLetters):
			lettered++
		case strings.ContainsAny(w, arabicMarks):
			arabic++
		}
	}
	return foreign > 0 && foreign+lettered >= 2 && foreign+lettered > arabic || lettered >= 2 &&
		2*lettered >= len(words) && arabic == 0
}
