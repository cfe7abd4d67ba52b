"""Korean names as Koreans write them in Latin letters: Kim and Lee, not Gim and I."""

_FIRST, _LAST = 0xAC00, 0xD7A3
_N_VOWELS, _N_TAILS = 21, 28


def _letters(text: str) -> list[str]:
    """Latin letters of the signs in Unicode's order; a dash stands for none."""
    return [word.strip("-") for word in text.split()]


def _table(text: str) -> dict[str, str]:
    """Latin letters by syllable."""
    return dict(entry.split(":") for entry in text.split())


_LEADS = _letters("g kk n d tt r m b pp s ss - j jj ch k t p h")
_VOWELS = _letters("a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i")
_TAILS = _letters("- k k k n n n t l k m l l l p l m p p t t ng t t k t p t")
_POPULAR_LEADS = _letters("k kk n d tt r m b pp s ss - j jj ch k t p h")
_POPULAR_VOWELS = _letters("a ae ya yae u e you ye o wa wae oe yo oo wo we wi yoo eu ui i")

_SURNAMES = _table("""
    김:Kim 이:Lee 박:Park 최:Choi 정:Jung 강:Kang 조:Cho 윤:Yoon 장:Jang 임:Lim 한:Han 오:Oh 서:Seo 신:Shin
    권:Kwon 황:Hwang 안:Ahn 송:Song 전:Jeon 홍:Hong 유:Yoo 고:Ko 문:Moon 양:Yang 손:Son 배:Bae 백:Baek 허:Heo
    남:Nam 심:Shim 노:Noh 하:Ha 곽:Kwak 성:Sung 차:Cha 주:Joo 우:Woo 구:Koo 민:Min 류:Ryu 나:Na 진:Jin 지:Ji
    엄:Um 채:Chae 원:Won 천:Chun 방:Bang 공:Kong 현:Hyun 함:Ham 변:Byun 염:Yeom 여:Yeo 추:Choo 도:Do 소:So
    석:Seok 선:Sun 설:Sul 마:Ma 길:Gil 연:Yeon 위:Wi 표:Pyo 명:Myung 기:Ki 반:Ban 왕:Wang 금:Keum 옥:Ok 육:Yook
    인:In 맹:Maeng 제:Je 모:Mo 탁:Tak 국:Kook 어:Eo 은:Eun 편:Pyun 용:Yong 리:Ri 경:Kyung 피:Pi 부:Boo 봉:Bong
    사:Sa 태:Tae 라:Ra 동:Dong
""")
_OTHER_SURNAMES = _table("""
    이:Yi 정:Chung 조:Jo 장:Chang 임:Im 서:Suh 신:Sin 전:Chun 유:Yu 고:Koh 노:Roh 허:Hur 백:Paik 구:Gu 주:Ju
    강:Gang 김:Gim 박:Bak 최:Choe 안:An 윤:Yun 문:Mun 류:Yoo 우:U 양:Ryang 염:Yum 여:Yuh 엄:Eom 선:Seon 라:Na
    리:Lee
""")
_SYLLABLES = _table("""
    영:young 정:jung 성:sung 현:hyun 경:kyung 희:hee 수:soo 준:joon 진:jin 우:woo 주:joo 선:sun 승:seung
    연:yeon 근:keun 기:ki 광:kwang 길:gil 규:kyu 병:byung 명:myung 미:mi 민:min 상:sang 석:seok 숙:sook
    순:soon 용:yong 원:won 은:eun 의:ui 인:in 일:il 재:jae 종:jong 지:ji 철:chul 춘:choon 태:tae 학:hak 한:han
    해:hae 혁:hyuk 형:hyung 혜:hye 호:ho 홍:hong 환:hwan 훈:hoon 갑:kab 관:kwan 국:kook 구:koo 금:keum 남:nam
    대:dae 덕:duk 도:do 동:dong 두:doo 만:man 무:moo 문:moon 배:bae 백:baek 범:bum 보:bo 복:bok 봉:bong 삼:sam
    서:seo 섭:sup 식:sik 신:shin 언:un 열:yeol 예:ye 옥:ok 완:wan 운:woon 유:yoo 윤:yoon 율:yul 익:ik 임:im
    장:jang 전:jun 제:je 조:jo 창:chang 천:chun 충:choong 택:taek 필:pil 하:ha 향:hyang 헌:hun 화:hwa 회:hoi
    효:hyo 후:hoo 흥:heung 이:yi 강:kang
""")


def is_hangul(letter: str) -> bool:
    """Whether the letter is one Korean syllable."""
    return _FIRST <= ord(letter) <= _LAST


def read_hangul(name: str) -> list[str]:
    """Latin forms of a Korean name, the most usual first; names of foreigners, in several words, by sound alone."""
    words = ["".join(filter(is_hangul, word)) for word in name.split()]
    words = [word for word in words if word]
    if len(words) == 1 and 2 <= len(words[0]) <= 4:
        surname, given = words[0][0], words[0][1:]
        usual = " ".join([_SURNAMES.get(surname, _popular(surname)), *map(_popular, given)])
        revised = _OTHER_SURNAMES.get(surname, _revised(surname)) + " " + "".join(map(_revised, given))
        return list(dict.fromkeys([usual, revised]))
    return [" ".join("".join(map(_revised, word)) for word in words)]


def _popular(syllable: str) -> str:
    return _SYLLABLES.get(syllable) or _sounds(syllable, _POPULAR_LEADS, _POPULAR_VOWELS)


def _revised(syllable: str) -> str:
    """Revised Romanisation, syllable by syllable."""
    return _sounds(syllable, _LEADS, _VOWELS)


def _sounds(syllable: str, leads: list[str], vowels: list[str]) -> str:
    lead, rest = divmod(ord(syllable) - _FIRST, _N_VOWELS * _N_TAILS)
    vowel, tail = divmod(rest, _N_TAILS)
    return leads[lead] + vowels[vowel] + _TAILS[tail]
