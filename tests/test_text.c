/* Text from outside is made printable, trimmed and split without loss. */
#include "test.h"

static void control_characters_become_question_marks_and_utf_8_stays(void **state)
{
	char text[] = "a\tb\nc\033[31m\x7f \xc3\xa9";

	(void)state;
	text_printable(text);
	assert_string_equal(text, "a?b?c?[31m? \xc3\xa9");
}

static void blanks_around_a_text_fall_away_and_a_long_one_is_cut(void **state)
{
	static const struct {
		const char *text;
		size_t size;
		const char *trimmed;
	} cases[] = {
		{ "", 8, "" }, { " \t\n ", 8, "" }, { "a", 8, "a" }, { "  a b \n", 8, "a b" }, { "12345678", 8, "1234567" },
		{ "12345678", 1, "" },
		{ "   1234567   ", 8, "1234567" },
	};
	char text[16];

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		memset(text, 'x', sizeof text);
		text_trim(text, cases[i].size, cases[i].text);
		assert_string_equal(text, cases[i].trimmed);
		assert_int_equal(text[cases[i].size], 'x');
	}
}

static void a_text_can_be_trimmed_in_place(void **state)
{
	char text[] = "   WDC WD40EFRX   ";

	(void)state;
	text_trim(text, sizeof text, text);
	assert_string_equal(text, "WDC WD40EFRX");
}

static void a_list_is_split_at_its_commas_and_keeps_empty_items(void **state)
{
	static const struct {
		const char *list, *items;
	} cases[] = {
		{ "", "[]" }, { "a", "[a]" }, { "a,bc", "[a][bc]" }, { "a,", "[a][]" }, { ",", "[][]" },
		{ "a,,b", "[a][][b]" },
		{ "/dev/disk/by-path/pci-0:1:2, b", "[/dev/disk/by-path/pci-0:1:2][ b]" },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		const char *cursor = cases[i].list, *item;
		char items[64] = "";
		size_t length;

		while (text_item(&cursor, &item, &length)) {
			const size_t end = strlen(items);

			snprintf(items + end, sizeof items - end, "[%.*s]", (int)length, item);
		}
		assert_string_equal(items, cases[i].items);
	}
}

static void words_are_copies_in_the_order_in_which_they_came(void **state)
{
	struct words words = { 0 };
	char text[] = "sdb,sdc";

	(void)state;
	words_add(&words, text, 3);
	words_add(&words, text + 4, 3);
	memset(text, 'x', sizeof text - 1);
	words_say(&words, "%s has %d\nfaults", "sdd", 3);
	for (int i = 3; i < 1000; i++)
		words_say(&words, "%d", i);
	assert_int_equal(words.count, 1000);
	assert_false(words.incomplete);
	assert_string_equal(words.word[0], "sdb");
	assert_string_equal(words.word[1], "sdc");
	assert_string_equal(words.word[2], "sdd has 3?faults");
	assert_string_equal(words.word[999], "999");
	words_release(&words);
	assert_int_equal(words.count, 0);
	assert_null(words.word);
}

static void plain_text_has_one_mark_for_each_other_character(void **state)
{
	static const struct {
		const char *text, *plain;
	} text[] = {
		{ "", "" }, { "sda", "sda" }, { "a b~", "a b~" }, { "a\tb\x7f", "a?b?" }, { "Gr\xc3\xb6\xc3\x9f" "e", "Gr??e" },
		{ "\xe7\xa3\x81.img", "?.img" }, { "\xf0\x9f\x92\xbe", "?" }, { "\xffx", "?x" },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(text); i++) {
		char copy[32];

		strcpy(copy, text[i].text);
		text_ascii(copy);
		assert_string_equal(copy, text[i].plain);
	}
}

static void a_field_of_csv_is_quoted_where_it_must_be(void **state)
{
	static const struct {
		const char *text, *field;
	} cases[] = { { "", "" }, { "a b;c", "a b;c" }, { "a,b", "\"a,b\"" }, { "\"", "\"\"\"\"" }, { "a\nb", "\"a\nb\"" } };

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(cases); i++) {
		char field[32] = "";
		FILE *out = fmemopen(field, sizeof field, "w");

		text_quote(out, cases[i].text);
		fclose(out);
		assert_string_equal(field, cases[i].field);
	}
}

static void characters_of_utf_8_are_told_from_other_bytes(void **state)
{
	static const struct {
		const char *text;
		size_t length;
	} text[] = {
		{ "a", 1 }, { "\x7f", 1 }, { "\n", 1 }, { "\xc3\xb6", 2 }, { "\xdf\xbf", 2 }, { "\xe0\xa0\x80", 3 },
		{ "\xe7\xa3\x81", 3 }, { "\xed\x9f\xbf", 3 }, { "\xef\xbf\xbd", 3 }, { "\xf0\x90\x80\x80", 4 },
		{ "\xf0\x9f\x92\xbe", 4 }, { "\xf4\x8f\xbf\xbf", 4 },
		/* The rest of a character, one that is cut off, one that is longer than it need be, a surrogate, too large. */
		{ "\x80", 0 }, { "\xbf", 0 }, { "\xc3", 0 }, { "\xc3" "a", 0 }, { "\xe7\xa3", 0 }, { "\xe7\xa3" "a", 0 },
		{ "\xf0\x9f\x92", 0 }, { "\xc0\x80", 0 }, { "\xc1\xbf", 0 }, { "\xe0\x9f\xbf", 0 }, { "\xf0\x8f\xbf\xbf", 0 },
		{ "\xed\xa0\x80", 0 }, { "\xf4\x90\x80\x80", 0 }, { "\xf5\x80\x80\x80", 0 }, { "\xff", 0 },
	};

	(void)state;
	for (size_t i = 0; i < TEXT_COUNT(text); i++)
		assert_int_equal(text_utf8_length(text[i].text), text[i].length);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_field_of_csv_is_quoted_where_it_must_be),
		cmocka_unit_test(characters_of_utf_8_are_told_from_other_bytes),
		cmocka_unit_test(plain_text_has_one_mark_for_each_other_character),
		cmocka_unit_test(control_characters_become_question_marks_and_utf_8_stays),
		cmocka_unit_test(blanks_around_a_text_fall_away_and_a_long_one_is_cut),
		cmocka_unit_test(a_text_can_be_trimmed_in_place),
		cmocka_unit_test(a_list_is_split_at_its_commas_and_keeps_empty_items),
		cmocka_unit_test(words_are_copies_in_the_order_in_which_they_came),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
