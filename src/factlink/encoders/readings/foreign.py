"""Foreign names in Chinese characters: what each character stands for where it is used for its sound."""

import re
from functools import cache

from anyascii import anyascii

_SOUNDS = """
a 阿亞亚婭娅 e 埃 ei 艾愛爱 i 伊依 o 奧奥歐欧 u 烏乌尤 an 安 en 恩 on 昂翁 in 因英 ya 雅 ye 耶葉叶 yan 延
ba 巴芭 be 貝贝蓓 bi 比 bo 博保 b 布勃 by 拜 bo 鮑鲍 ban 班 ben 本 bin 賓宾 bon 邦 ber 伯 burg 堡
pa 帕 pe 佩 pi 皮畢毕 po 波 pu 浦 p 普 pan 潘 pen 彭 pin 平 pon 龐庞 pai 派 per 珀
da 達达大戴代黛 di 迪狄 do 多朵 du 杜 d 德 dan 丹 den 登鄧邓 din 丁 don 東东敦唐 dow 道
ta 塔 tai 泰 ti 蒂提 to 托 tu 圖图 t 特 tan 坦 ten 滕 tin 廷汀婷 tom 湯汤 ton 頓顿通
ga 加嘉蓋盖 gi 吉 go 戈高 gu 古 g 格 gr 葛 gan 甘 gen 根 gon 岡冈貢贡 gua 瓜 ge 治
ca 卡 ka 凱凯 ki 基 co 科柯寇 cu 庫库居 k 克 can 坎 ken 肯 kin 金 con 康孔 cau 考 qui 奎 quin 昆 qua 夸
va 瓦娃 vi 維维薇 we 韋韦衛卫 wi 威 wo 沃 woo 伍 v 夫 van 萬万梵 win 溫温 wen 雯 wan 旺 wa 華华 whe 惠 whi 懷怀
fa 法 fe 費费 fi 菲 fo 福 fu 富芙 f 弗 van 凡范 fin 芬 von 馮冯 fan 方
za 扎 ze 澤泽 zi 齊齐 zo 佐 zu 祖 z 茲兹 zen 曾 zon 宗 ts 茨 cha 察 tso 措
sa 薩萨莎 se 塞 sai 賽赛 si 西錫锡茜 so 索 su 蘇苏 s 斯絲丝史思 san 桑 sen 森 sin 辛 son 松遜逊
sh 什 sha 沙夏 she 謝谢舍 shaw 肖蕭萧 shu 舒 shan 尚山 shen 申 shin 欣 sho 紹绍
ja 賈贾 je 傑杰潔洁 gi 季 jo 喬乔約约 ju 朱 jam 詹 jan 簡简珍揚扬 jen 貞贞 gin 京 jon 瓊琼
ch 奇 che 切 chu 丘楚 chan 昌 chin 琴欽钦 chi 池綺绮
h 赫 ha 哈 he 黑 hei 海 hi 希 ho 霍 hu 胡休修 han 漢汉杭翰 hen 亨 hon 洪 how 豪
ma 馬马瑪玛 me 梅 mc 麥麦 mi 米密邁迈 mo 莫摩 mu 穆慕 m 姆 man 曼 men 門门 min 明敏 mon 蒙孟 mer 默墨 mad 末
na 納纳娜奈 ne 內内涅 new 紐纽牛 ni 尼妮 no 諾诺 nu 努 nan 南 nen 嫩 nin 寧宁 non 農农 nau 瑙
la 拉 le 萊莱勒蕾列樂乐 ly 賴赖 li 利莉麗丽力 ri 里理烈 lo 洛蘿萝 ro 羅罗 lu 盧卢路露 ru 魯鲁 lan 蘭兰 lon 倫伦隆
lin 林琳 ran 朗 re 雷瑞 lau 勞劳 lew 柳 l 爾尔
"""
"""By the letters that they usually stand for in European names, as tables for translators have them."""

_NAMES = """
abdul 阿都 abdullah 阿都拉 ahmad 阿末 ibrahim 依布拉欣 ismail 依斯迈 mohamad 莫哈末 mohamad 穆罕默德 mohamad 莫哈默
john 約翰 john 约翰 david 大衛 david 大卫 paul 保羅 paul 保罗 george 喬治 george 乔治 michael 米高 michael 麥可
mike 麥克 mike 麦克 michael 麥克爾 michael 迈克尔 michael 邁克爾 charles 查爾斯 charles 查尔斯 james 詹姆斯 james 詹姆士
thomas 湯瑪斯 thomas 托馬斯 thomas 托马斯 tom 湯姆 tom 汤姆 jim 吉姆 tim 蒂姆 tim 提姆 sam 山姆
alexander 亞歷山大 alexander 亚历山大 robert 羅拔 william 威廉 richard 理查 richard 里察 jose 何塞 juan 胡安
"""
"""Given names with a usual form that their characters alone do not give."""


@cache
def _table() -> dict[str, str]:
    sounds, names = _SOUNDS.split(), _NAMES.split()
    table = {char: latin for latin, chars in zip(sounds[::2], sounds[1::2], strict=True) for char in chars}
    return table | dict(zip(names[1::2], names[::2], strict=True))


@cache
def _piece() -> re.Pattern[str]:
    """The longest name that begins here, else one character."""
    longest = sorted(_table(), key=lambda chars: (-len(chars), chars))
    return re.compile("|".join([*longest, "."]))


def may_be_foreign(name: str) -> bool:
    """Whether all characters of a name, two or more, are usual in foreign names."""
    return len(name) > 1 and all(char in _table() for char in name)


def read_foreign(part: str) -> str:
    """A part of a name as its characters sound in foreign names; those that are rare there in pinyin."""
    table = _table()
    return "".join(table.get(piece) or anyascii(piece).lower() for piece in _piece().findall(part))
