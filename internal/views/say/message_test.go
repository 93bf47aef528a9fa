package say

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/words"
)

// TestFaultsOfFilesInArabic: the parts of a refusal stand in an Arabic sentence without English words, its numbers in
// the reader's digits, names as they were written.
func TestFaultsOfFilesInArabic(t *testing.T) {
	r := To("ar", "arab", time.Time{})
	msg, ends := words.Msg, filetype.ListExtensions([]filetype.Type{filetype.PDF, filetype.DOCX, filetype.PlainText})
	for arabic, m := range map[string]domain.Message{
		"الملف «a.xyz» من نوع «.xyz». تُقرأ الأنواع «.pdf»، «.docx» و«.txt»؛ احفظه بأحدها.": msg("refused_file_read",
			"Why", msg("refused_file_end", "Name", "a.xyz", "Words", ".xyz"), "Listed", ends),
		"محتوى الملف «a.pdf»: صورة، لكن اسمه ينتهي بالامتداد «.pdf»؛ ارفع الملف المقصود. " +
			"تُقرأ الأنواع «.pdf»، «.docx» و«.txt».": msg("refused_file_named", "Name", "a.pdf",
			"Inside", msg("inside_image"), "End", ".pdf", "Mend", msg("mend_file_other", "Listed", ends)),
		"الملف «2024.pdf» (الصفحة ٣١) أكبر مما يُقرأ: عدد صفحاته ٥٬٠٠١، والحد الأقصى ٥٬٠٠٠. قسّمه.": msg("refused_file_large",
			"File", msg("file_page", "Name", "2024.pdf", "N", 31), "Bound", msg("bound_pages", "N", 5001, "Most", 5000)),
		"تعذّر قبول ملفين. الملف «a» ليس نصًا بترميز UTF-8؛ افتحه في محرر نصوص واحفظه بهذا الترميز. " +
			"في الملف «b» بايتات NUL، فليس نصًا.": msg("sentences", "All", words.Sentences{msg("refused_files", "N", 2),
			msg("refused_file_utf8", "Name", "a"), msg("refused_file_nul", "Name", "b")}),
		"المعرّف ««c»» مستخدم في «documents[0].chunks[0]»؛ يلزم معرّف خاص لكل عنصر (مقطع من مستند).": msg("refused_in_id",
			"Field", "documents[0].chunks[0]", "Name", "c", "Wanted", msg("noun_chunk")),
		"لا يوجد مقطع إسناد برقم -١؛ حُفظ الاستشهاد ولم يُحدَّد موضعه. (وكذلك في ١٬٢٠٤ مواضع أخرى.)": msg("warning_often",
			"Why", msg("warning_grounding_chunk", "N", -1), "N", 1204),
	} {
		require.Equal(t, arabic, strings.NewReplacer("\u2068", "«", "\u2069", "»").Replace(r.Said(m)))
	}
}
